/** A value that a statement takes as a parameter. */
export type Parameter = string | number | null

/** A row of the result of a statement, by the names of its columns. */
export type Row = Readonly<Record<string, unknown>>

/** A statement of SQL. Its parameters are in the order of its question marks, or one object with those by name. */
export interface Statement {
  /** Runs the statement. @returns all rows of the result */
  all(...values: Parameter[]): Row[]
  /** The same, with parameters by name. */
  all(named: Record<string, Parameter>): Row[]
  /** Runs the statement. @returns the first row of the result */
  get(...values: Parameter[]): Row | undefined
  /** The same, with parameters by name. */
  get(named: Record<string, Parameter>): Row | undefined
  /** Runs a statement without a result. */
  run(...values: Parameter[]): Changes
}

/** What a statement without a result has done. */
export interface Changes {
  /** How many rows it has changed, without those that triggers have changed. */
  readonly changes: number | bigint
}
