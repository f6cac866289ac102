/** Parses a JSON text. `undefined` for any other text, which the form shows as wrong. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
