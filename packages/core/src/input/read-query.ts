import { GenerationError } from '../errors/generation-error.ts'

/** What a query parameter accepts, in words, and what it means. */
export interface QueryParameter<Value> {
  /** What is accepted, after `must be`. */
  readonly accepts: string
  /** The value of a text. `undefined` for a text that is not accepted. */
  readonly read: (text: string) => Value | undefined
}

/** The values of a query by the names of its parameters. A parameter that is absent has none. */
export type QueryValues<Table> = {
  readonly [Name in keyof Table]?: Table[Name] extends QueryParameter<infer Value> ? Value : never
}

/**
 * Reads a query. A name that the table does not have is refused, because a list without a misspelt filter would have what
 * the caller does not expect.
 * @param of what has these parameters, in words. @default 'this path'
 * @param others parameters beside those of the table, for the error message. @default none
 * @throws GenerationError `invalid_request` that names the parameter and says what is accepted
 * @example readQuery(query, { status: oneOf('completed', 'failed') })
 */
export function readQuery<const Table extends Readonly<Record<string, QueryParameter<unknown>>>>(
  query: Iterable<readonly [name: string, text: string]>,
  table: Table,
  of = 'this path',
  others = '',
): QueryValues<Table> {
  const values: Record<string, unknown> = {}
  for (const [name, text] of query) {
    if (!Object.hasOwn(table, name))
      refuseParameter(
        name,
        `is not a parameter of ${of}; the parameters are ${Object.keys(table).join(', ')}${others}`,
      )
    if (Object.hasOwn(values, name)) refuseParameter(name, 'may be given only once')
    const { accepts, read } = table[name]!
    values[name] = read(text) ?? refuseParameter(name, `must be ${accepts}`)
  }
  return values as QueryValues<Table>
}

/**
 * Refuses a parameter or field.
 * @param rule what continues the sentence after the name
 * @throws GenerationError `invalid_request` that names the parameter
 */
export function refuseParameter(name: string, rule: string): never {
  const param = name.slice(0, 100).toWellFormed()
  throw new GenerationError('invalid_request', `${param} ${rule}.`, { param })
}

/** A parameter that is one of these words. */
export function oneOf<const Word extends string>(...words: readonly Word[]): QueryParameter<Word> {
  return {
    accepts: `one of ${words.join(', ')}`,
    read: (text) => words.find((word) => word === text),
  }
}

/** The parameter `limit` of a list: how many items a page has at most. @param most 100 or 1000 */
export function limitTo(most: 100 | 1000): QueryParameter<number> {
  return {
    accepts: `a whole number from 1 to ${most}`,
    read: (text) => (/^[1-9]\d{0,3}$/.test(text) && Number(text) <= most ? Number(text) : undefined),
  }
}

/**
 * The parameter `cursor` of a list.
 * @param read the place after which the page begins. `undefined` for a text that is no cursor of the list
 */
export function cursorParameter<Place>(read: (cursor: string) => Place | undefined): QueryParameter<Place> {
  return { accepts: 'the next_cursor of an earlier page, unchanged', read }
}
