/** The part of a `D1Database` that the backend uses. */
export interface D1<Statement extends D1Statement = D1Statement> {
  prepare(sql: string): Statement
  /** Runs statements in one transaction. @returns the result of each of them */
  batch(statements: Statement[]): Promise<readonly { readonly results: readonly unknown[] }[]>
}

/** The part of a `D1PreparedStatement` that the backend uses. */
export interface D1Statement {
  bind(...values: (string | number | null)[]): this
}
