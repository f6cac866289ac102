import type { Parameter, Row } from '../sqlite/statement.ts'

/** A statement in SQL, with the values of its parameters `?1`, `?2` and so on. */
export interface BatchStatement {
  /** The text, without a semicolon at its end. */
  readonly sql: string
  /** The values in the order of their numbers. */
  readonly args: Parameter[]
}

/**
 * Runs statements in order, in one transaction that writes all or nothing, and in one round trip.
 * @returns the rows of each statement, in the same order
 * @throws the error of the database. The batch may have been written nevertheless
 */
export type RunBatch = (statements: readonly BatchStatement[]) => Promise<readonly (readonly Row[])[]>

/** The values of parameters by their names. What is left out is NULL. */
export type Values = Readonly<Record<string, Parameter | undefined>>

const numbered = new Map<string, { readonly sql: string; readonly names: readonly string[] }>()

/**
 * Makes a statement from a text whose parameters have names, such as `:owner`. D1 knows parameters only by their numbers.
 * @param values may have more names than the text
 */
export function statement(text: string, values: Values): BatchStatement {
  const { sql, names } = numbered.get(text) ?? withNumbers(text)
  return { sql, args: names.map((name) => values[name] ?? null) }
}

function withNumbers(text: string) {
  const names: string[] = []
  const sql = text
    .trim()
    .replace(/\s+/g, ' ')
    .replace(/:([a-z]\w*)/gi, (_, name: string) => {
      if (!names.includes(name)) names.push(name)
      return `?${names.indexOf(name) + 1}`
    })
  const made = { sql, names }
  numbered.set(text, made)
  return made
}
