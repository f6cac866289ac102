import { GenerationError, placeOf } from '@genmount/core'

/** What a query parameter accepts, in words, and what it means. `undefined` is a value that is not accepted. */
export interface Parameter<Value> {
  /** What is accepted, after `must be`. */
  readonly accepts: string
  /** The value of a text. */
  readonly read: (text: string) => Value | undefined
}

/** The values of a query by the names of its parameters. A parameter that is absent has none. */
type Values<Table> = {
  readonly [Name in keyof Table]?: Table[Name] extends Parameter<infer Value> ? Value : never
}

/**
 * Reads a query. A name that the table does not have is refused, because a list without a misspelt filter would have what the
 * operator does not expect.
 * @throws GenerationError `invalid_request` that names the parameter and says what is accepted
 */
export function readQuery<const Table extends Readonly<Record<string, Parameter<unknown>>>>(
  query: URLSearchParams,
  table: Table,
): Values<Table> {
  const values: Record<string, unknown> = {}
  for (const [name, text] of query) {
    if (!Object.hasOwn(table, name))
      refuse(name, `is not a parameter of this path; the parameters are ${Object.keys(table).join(', ')}`)
    if (Object.hasOwn(values, name)) refuse(name, 'may be given only once')
    const { accepts, read } = table[name]!
    values[name] = read(text) ?? refuse(name, `must be ${accepts}`)
  }
  return values as Values<Table>
}

/** @throws GenerationError `invalid_request` that names the parameter or field. @param rule what continues the sentence */
export function refuse(name: string, rule: string): never {
  const param = name.slice(0, 100).toWellFormed()
  throw new GenerationError('invalid_request', `${param} ${rule}.`, { param })
}

/** A text of at most this many characters. */
export function textUpTo(most: number, accepts: string): Parameter<string> {
  const isShort = (text: string) => text !== '' && text.length <= most && !text.includes('\0')
  return { accepts, read: (text) => (isShort(text) ? text : undefined) }
}

/** The parameter `limit` of a list. */
export const limitTo100: Parameter<number> = {
  accepts: 'a whole number from 1 to 100',
  read: (text) => (/^(?:[1-9]\d?|100)$/.test(text) ? Number(text) : undefined),
}

/** How many items a page of a list has if the operator does not say it. */
export const usualLimit = 20

/**
 * The parameter `cursor` of a list.
 * @param placeIn the place after which the page begins, of the JSON value in the cursor
 */
export function cursorParameter<Place>(placeIn: (place: unknown) => Place | undefined): Parameter<Place> {
  return { accepts: 'the next_cursor of an earlier page, unchanged', read: (text) => placeIn(placeOf(text)) }
}

/** The instant, in whole milliseconds, and the id in a cursor of a list that is in the order of both. */
export function instantAndIdIn(place: unknown): readonly [at: number, id: string] | undefined {
  const [at, id] = Array.isArray(place) ? (place as readonly unknown[]) : []
  // Postgres takes no other numbers for an instant.
  const isInstant = Number.isSafeInteger(at) && (at as number) >= 0
  return isInstant && typeof id === 'string' ? [at as number, id] : undefined
}

/** The parameter `owner`. */
export const ownerParameter = textUpTo(1000, 'the name of an owner')

/** One of these words. */
export function oneOf<const Word extends string>(...words: readonly Word[]): Parameter<Word> {
  return {
    accepts: `one of ${words.join(', ')}`,
    read: (text) => words.find((word) => word === text),
  }
}
