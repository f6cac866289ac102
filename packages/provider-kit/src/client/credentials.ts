import { fromBase64 } from '@genmount/core'

/** In characters. Shorter values are too common in ordinary texts to be taken out of them, and are no secrets. */
const minLength = 4
/**
 * In characters. The part after the colon of `id:secret` is a secret on its own. A shorter part is more likely a port
 * or a word.
 */
const minHalfLength = 16

/**
 * The credentials among the headers of a request, without their scheme: `abcd` for `Bearer abcd`. Of `Basic`, also the
 * password that it contains.
 */
export function credentialsIn(headers: Headers): readonly string[] {
  const values = [...headers].flatMap(([name, value]) =>
    /auth|cookie|key|token|secret/i.test(name) ? [value.replace(/^(?:bearer|basic|key) /i, '')] : [],
  )
  const halves = values.map((value) => value.slice(value.indexOf(':') + 1))
  const basic = [...headers.values()].flatMap((value) => /^basic (.+)$/i.exec(value)?.[1] ?? [])
  const logins = basic.map((base64) => new TextDecoder().decode(fromBase64(base64)))
  const passwords = logins.map((login) => login.slice(login.indexOf(':') + 1))
  return [
    ...[...logins, ...passwords].filter(({ length }) => length >= minLength),
    ...values.filter(({ length }) => length >= minLength),
    ...halves.filter(({ length }) => length >= minHalfLength),
  ]
}
