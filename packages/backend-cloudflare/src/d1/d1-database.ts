/** The part of a `D1Database` that the backend uses. */
export interface D1<Statement extends D1Statement = D1Statement> {
  /** Makes a statement of one text of SQL. */
  prepare(sql: string): Statement
  /** Runs statements in one transaction. @returns the result of each of them */
  batch(statements: Statement[]): Promise<readonly D1Result[]>
}

/** The part of a `D1PreparedStatement` that the backend uses. */
export interface D1Statement {
  /** @returns the statement with these values in place of its parameters */
  bind(...values: (string | number | null)[]): this
}

/** What a statement of D1 answers. */
export interface D1Result {
  /** Its rows. */
  readonly results: readonly unknown[]
}
