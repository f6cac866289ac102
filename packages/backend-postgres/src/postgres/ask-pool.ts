import type { Clock } from '@genmount/core'
import type { PostgresClient, PostgresPool, PostgresResult, PostgresStatement } from './postgres-pool.ts'

/** Connections that have a listener for their errors. Without one, the runtime would end the process at an error. */
const guarded = new WeakSet<PostgresClient>()

/** Errors after which the connection is of no use: the server ends it, or it leads to a server that may only read. */
const leavesUseless = /^(57P0\d|08|25006)/

/** Takes a connection, uses it, and gives it back, all within a limit. */
export interface PoolUse<Result> {
  readonly pool: PostgresPool
  readonly clock: Clock
  /** How long it may take altogether, in milliseconds. Then the connection is closed. */
  readonly limitMs: number
  readonly use: (client: PostgresClient) => Promise<Result>
}

/**
 * Uses a connection of the pool. A connection on which something has failed that is no answer of the server is closed,
 * and so is one whose answer has not come in time.
 * @throws the error of the pool or of the server, or one that says that there was no answer in time. What was asked for
 *   may have been done nevertheless
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

/** Runs one statement on a connection of the pool. */
export function askPool(
  pool: PostgresPool,
  clock: Clock,
  limitMs: number,
  statement: PostgresStatement,
): Promise<PostgresResult> {
  return usePool({ pool, clock, limitMs, use: (client) => client.query(statement) })
}

/** Adds a listener for errors once, for as long as the connection lives. */
export function guard(client: PostgresClient): PostgresClient {
  if (!guarded.has(client)) {
    guarded.add(client)
    client.on?.('error', () => {})
  }
  return client
}

function isUseless(error: unknown): boolean {
  const { code } = error as { code?: unknown }
  // Errors of the server have codes of five characters: https://www.postgresql.org/docs/current/errcodes-appendix.html
  return typeof code !== 'string' || !/^[0-9A-Z]{5}$/.test(code) || leavesUseless.test(code)
}
