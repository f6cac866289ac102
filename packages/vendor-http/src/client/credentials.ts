/** Shorter ones are found in any text, and are no secrets. */
const minLength = 4
/** The secret half of `id:secret` does as much harm alone; a short half would be a port, or a word. */
const minHalfLength = 16

/** What opens a door among the headers of a request; of `Bearer abcd` that is `abcd`. */
export function credentialsIn(headers: Headers): readonly string[] {
  const values = [...headers].flatMap(([name, value]) =>
    /auth|cookie|key|token|secret/i.test(name) ? [value.replace(/^(?:bearer|basic|key) /i, '')] : [],
  )
  const halves = values.map((value) => value.slice(value.indexOf(':') + 1))
  return [
    ...values.filter(({ length }) => length >= minLength),
    ...halves.filter(({ length }) => length >= minHalfLength),
  ]
}
