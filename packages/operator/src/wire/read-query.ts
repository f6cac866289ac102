import { cursorParameter, isInstant, placeOf, type QueryParameter } from '@genmount/core'

/** A text of at most this many characters. */
export function textUpTo(most: number, accepts: string): QueryParameter<string> {
  const isShort = (text: string) => text !== '' && text.length <= most && !text.includes('\0')
  return { accepts, read: (text) => (isShort(text) ? text : undefined) }
}

/** How many items a page of a list has if the operator does not say it. */
export const usualLimit = 20

/**
 * The parameter `cursor` of a list.
 * @param placeIn the place after which the page begins, of the JSON value in the cursor
 */
export function placeCursor<Place>(placeIn: (place: unknown) => Place | undefined): QueryParameter<Place> {
  return cursorParameter((cursor) => placeIn(placeOf(cursor)))
}

/** The instant, in whole milliseconds, and the id in a cursor of a list that is in the order of both. */
export function instantAndIdIn(place: unknown): readonly [at: number, id: string] | undefined {
  const [at, id] = Array.isArray(place) ? (place as readonly unknown[]) : []
  return isInstant(at) && typeof id === 'string' ? [at, id] : undefined
}

/** The parameter `owner`. */
export const ownerParameter = textUpTo(1000, 'the name of an owner')
