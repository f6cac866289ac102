/** The part of a client of `@libsql/client` that the backend uses. */
export interface LibsqlClient {
  /** Runs statements in one transaction. @returns the result of each of them */
  batch(
    statements: { sql: string; args: (string | number | null)[] }[],
    mode: 'read' | 'write',
  ): Promise<readonly LibsqlRows[]>
}

/** The part of a result that the backend uses. */
export interface LibsqlRows {
  /** The rows, with their values by the names of the columns. */
  readonly rows: readonly object[]
}
