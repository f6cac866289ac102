import { fromBase64, toBase64 } from '@genmount/core'

/** The cursor of the page after this place in a list: a JSON value that the page before has shown. */
export function cursorOf(place: unknown): string {
  const text = new TextEncoder().encode(JSON.stringify(place))
  return toBase64(text).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

/** The place that a cursor names, as a JSON value. `undefined` for a text that {@link cursorOf} has not made. */
export function placeOf(cursor: string): unknown {
  const bytes = fromBase64(cursor.replaceAll('-', '+').replaceAll('_', '/'))
  try {
    const place: unknown = JSON.parse(new TextDecoder().decode(bytes))
    return cursorOf(place) === cursor ? place : undefined
  } catch {
    return undefined
  }
}
