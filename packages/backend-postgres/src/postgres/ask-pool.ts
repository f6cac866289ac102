import type { Clock } from '@genmount/core'
import type { PostgresClient, PostgresPool, PostgresResult, PostgresStatement } from './postgres-pool.ts'

/** Pools and connections that have a listener for their errors. Without a listener, an error would end the process. */
const guarded = new WeakSet<PostgresPool | PostgresClient>()

/**
 * The codes of errors after which the connection can't be used again: the server ends it, or the server is read-only.
 */
const leavesUseless = /^(57P0\d|08|25006)/

/** Takes a connection, uses it, and releases it, all within a time limit. */
export interface PoolUse<Result> {
  readonly pool: PostgresPool
  readonly clock: Clock
  /** The limit for the whole use, in milliseconds. After it the connection is closed. */
  readonly limitMs: number
  readonly use: (client: PostgresClient) => Promise<Result>
}

/**
 * Uses a connection of the pool. The connection is closed after an error that is not an answer of the server, after an
 * answer that says that the connection can't be used again, and if an answer has not arrived in time.
 * @throws the error of the pool or of the server, or one that says that there was no answer in time. The statement may
 * have been executed nevertheless
 */
export function usePool<Result>({ pool, clock, limitMs, use }: PoolUse<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    let client: PostgresClient | undefined
    let isOver = false
    const end = (destroy: boolean, settle: () => void) => {
      if (isOver) return
      isOver = true
      cancel()
      client?.release(destroy)
      settle()
    }
    const cancel = clock.after(limitMs, () => {
      const what = client ? 'it has not answered' : 'no connection was free'
      end(true, () => reject(new Error(`${what} within ${limitMs / 1000} s`)))
    })
    const run = async () => {
      const taken = await pool.connect()
      if (isOver) return taken.release()
      client = guard(taken)
      const result = await use(client)
      end(false, () => resolve(result))
    }
    run().catch((error: unknown) => end(isUseless(error), () => reject(error)))
  })
}

/** Whether the server has refused a statement and can go on: then the statement has written nothing. */
export const isRefusal = (error: unknown): boolean => !isUseless(error)

/** Runs one statement on a connection of the pool. */
export function askPool(
  pool: PostgresPool,
  clock: Clock,
  limitMs: number,
  statement: PostgresStatement,
): Promise<PostgresResult> {
  return usePool({ pool, clock, limitMs, use: (client) => client.query(statement) })
}

/** Adds a listener for errors once for each connection. */
export function guard(client: PostgresClient): PostgresClient {
  if (!guarded.has(client)) {
    guarded.add(client)
    client.on?.('error', () => {})
  }
  return client
}

/** Adds listeners for the errors of a pool and of its connections, which stay after this backend has been closed. */
export function guardPool(pool: PostgresPool): void {
  if (guarded.has(pool)) return
  guarded.add(pool)
  pool.on?.('error', () => {})
  // A connection may fail after the pool has taken its own listener away and before `connect()` has resolved.
  pool.on?.('acquire', guard)
}

function isUseless(error: unknown): boolean {
  const code = answerCode(error)
  return code === undefined || leavesUseless.test(code)
}

/** The code of an answer of the server, or `undefined` for another error. */
function answerCode(error: unknown): string | undefined {
  const { code } = (error ?? {}) as { code?: unknown }
  // Errors of the server have codes of five characters, with a digit, which EPIPE lacks:
  // https://www.postgresql.org/docs/current/errcodes-appendix.html
  return typeof code === 'string' && /^(?=.*\d)[0-9A-Z]{5}$/.test(code) ? code : undefined
}
