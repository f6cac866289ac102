/**
 * What the backend uses of a Durable Object's storage: `ctx.storage` of a class with the SQLite storage backend.
 * https://developers.cloudflare.com/durable-objects/api/sqlite-storage-api/ (2026-11-27)
 */
export interface ObjectStorage {
  /** The database of the object. */
  readonly sql: {
    /** Runs statements of SQL at once. Only the last one may have parameters. */
    exec(query: string, ...bindings: (string | number | null)[]): ObjectRows
  }
  /** Runs `run` in a transaction, which is undone when `run` throws. */
  transactionSync<Result>(run: () => Result): Result
  /** When the object's alarm comes, in milliseconds since the Unix epoch; `null` when none is set. */
  getAlarm(): Promise<number | null>
  /** Sets the one alarm of the object, in place of an earlier one. */
  setAlarm(at: number): Promise<void>
  /** Takes the alarm back. */
  deleteAlarm(): Promise<void>
}

/** The result of a query. */
export interface ObjectRows {
  /** @returns all rows */
  toArray(): ObjectRow[]
}

/** A row of a query's result. */
export type ObjectRow = Record<string, ArrayBuffer | string | number | null>
