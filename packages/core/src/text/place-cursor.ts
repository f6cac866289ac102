import { fromBase64Url, toBase64Url } from './base64-url.ts'

/** The cursor of the page after this place in a list: a JSON value that the page before has shown. */
export function cursorOf(place: unknown): string {
  return toBase64Url(new TextEncoder().encode(JSON.stringify(place)))
}

/** The place that a cursor names, as a JSON value. `undefined` for a text that {@link cursorOf} has not made. */
export function placeOf(cursor: string): unknown {
  try {
    const place: unknown = JSON.parse(new TextDecoder().decode(fromBase64Url(cursor)))
    return cursorOf(place) === cursor ? place : undefined
  } catch {
    return undefined
  }
}
