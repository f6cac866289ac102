/** A statement with its parameters, as `pg` takes it. */
export interface PostgresStatement {
  /** The SQL, with `$1` and so on for the parameters. */
  text: string
  /** The parameters: texts, numbers, booleans, null, and arrays of them. */
  values?: unknown[]
  /**
   * The name under which the connection keeps the prepared statement. Absent if a statement can't be prepared, for
   * example behind a pooler.
   */
  name?: string
}

/** The rows that a statement has returned: an object for each row, with a property for each column. */
export interface PostgresResult {
  /** A value of the type bigint may be a text, a number or a BigInt. */
  readonly rows: any[]
}

/** One connection of a {@link PostgresPool}, for as long as it is not released. */
export interface PostgresClient {
  /** Runs one statement. */
  query(statement: PostgresStatement): Promise<PostgresResult>
  /** Gives the connection back. @param destroy `true` closes the connection instead */
  release(destroy?: boolean): void
  /** Calls `listener` when the connection fails while it is idle. @default the next statement finds the failure */
  on?(event: 'error', listener: (error: Error) => void): unknown
  /** Calls `listener` with each notification. @default no notifications: jobs of other nodes are polled instead */
  on?(
    event: 'notification',
    listener: (message: { readonly channel: string; readonly payload?: string | undefined }) => void,
  ): unknown
  /** The process id of the server's back-end, which the server sends when the connection is made. @default not known */
  readonly processID?: unknown
  /** Lets the host process end although the connection is open. @default the connection keeps the process alive */
  unref?(): void
}

/**
 * Connections to one Postgres database. A `Pool` of `pg` fits, as does any object with these functions. The backend
 * uses the pool and never ends it.
 */
export interface PostgresPool {
  /** Takes a connection out of the pool, or makes one. */
  connect(): Promise<PostgresClient>
  /** Calls `listener` when an idle connection fails. @default idle connections that fail do no harm */
  on?(event: 'error', listener: (error: Error) => void): unknown
  /** Calls `listener` with a connection before `connect()` resolves with it. @default never called */
  on?(event: 'acquire', listener: (client: PostgresClient) => void): unknown
  /** The options of the pool. @default the backend may keep one connection for itself */
  readonly options?: {
    /** How many connections the pool may have. @default the backend may keep one of them for itself */
    readonly max?: number | undefined
  }
}
