import type { Row } from './statement.ts'

/**
 * Reads a number of a row. A database behind a network, or something between, may answer with anything. What is no number must
 * not become one: the clock and the budgets of the process would stay wrong.
 * @throws Error when it is no number
 */
export function numberIn(row: Row | undefined, name: string): number {
  const value = row?.[name]
  // A client of libSQL may give whole numbers as texts.
  const number = value === '' ? Number.NaN : Number(value ?? Number.NaN)
  if (Number.isFinite(number)) return number
  throw new Error(`The database has answered without the number ${name}`)
}
