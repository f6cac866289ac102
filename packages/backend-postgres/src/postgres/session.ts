import type { Clock } from '@genmount/core'
import { guard } from './ask-pool.ts'
import type { PostgresClient, PostgresPool, PostgresStatement } from './postgres-pool.ts'
import { channelOf } from './statements.ts'

/** How long the session's connection may take to answer, in milliseconds. After that a new connection is made. */
const limitMs = 2500
/** The shortest and the longest pause between two tries to connect, in milliseconds. */
const pauseMs = { least: 200, most: 2000 }

/**
 * A connection that a process keeps for itself. It holds the lock that shows that the process is running, and receives
 * notifications. There is no such connection behind a pooler that shares connections between clients.
 */
export interface Session {
  /** Whether there is a connection that holds the lock of this process. */
  holds(): boolean
  /** Whether the connections of the pool are known to go to the server directly, and not through a pooler. */
  isDirect(): boolean
  /**
   * Connects, takes the lock of this slot and listens, unless this is done already. If the connection fails, a new one
   * is made.
   */
  open(slot: number): void
  /** Sends a statement on this connection, to detect a dead connection. */
  probe(): void
  close(): void
}

/** The parts that {@link keepSession} works with. */
export interface SessionContext {
  readonly pool: PostgresPool
  readonly schema: string
  readonly clock: Clock
  /** Whether nobody needs the session at present. Then a lost connection is not replaced before the next `open`. */
  readonly isResting: () => boolean
  /** Called with the payload of each notification. */
  readonly onNotification: (payload: string) => void
  /** Called when notifications may have been lost, because the connection is a new one. */
  readonly onReconnect: () => void
}

export function keepSession(context: SessionContext): Session {
  const { pool, schema, clock, isResting, onNotification, onReconnect } = context
  let client: PostgresClient | undefined
  let isHolding = false
  let isDirect = false
  /** Whether there can be no session. A pool of one connection has none to spare. */
  let isImpossible = pool.options?.max === 1
  let isClosed = false
  let isConnecting = false
  let isProbing = false
  let slot: number | undefined
  let failures = 0
  let cancelRetry = () => {}

  async function connect(): Promise<void> {
    if (isClosed || isConnecting || client || isImpossible) return
    if (isResting()) return void (failures = 0)
    isConnecting = true
    try {
      const taking = pool.connect()
      const taken = guard(
        await inTime(taking).catch((error: unknown) => {
          taking.then((late) => late.release()).catch(() => {})
          throw error
        }),
      )
      if (isClosed) return taken.release()
      await setUp(taken).catch((error: unknown) => {
        taken.release(true)
        throw error
      })
      failures = 0
    } catch {
      retryLater()
    } finally {
      isConnecting = false
    }
  }

  async function setUp(taken: PostgresClient): Promise<void> {
    const ask = (statement: PostgresStatement) => inTime(taken.query(statement))
    const { rows } = await ask({ text: 'SELECT pg_backend_pid() AS pid' })
    // Behind a pooler, the process id of a client connection is a number of the pooler, not of the server's back-end.
    isDirect = taken.processID === Number(rows[0]?.pid)
    isImpossible = !isDirect
    if (isImpossible) return taken.release()
    // With these settings the server notices within 20 s that this machine is gone, and releases the lock.
    const keepAlive = `SELECT set_config('tcp_keepalives_idle', '5', false), set_config('tcp_keepalives_interval', '5', false), set_config('tcp_keepalives_count', '3', false), set_config('idle_session_timeout', '0', false)`
    await ask({ text: keepAlive }).catch(() => {})
    taken.on?.('error', () => lose(taken))
    taken.on?.('notification', ({ channel, payload = '' }) => {
      if (channel === channelOf(schema) && client === taken) onNotification(payload)
    })
    await ask({ text: `LISTEN ${channelOf(schema)}` })
    const locked = await ask({
      text: `SELECT pg_try_advisory_lock('${schema}'::regnamespace::oid::int, ${slot}) AS has`,
    })
    taken.unref?.()
    if (isClosed) return taken.release(true)
    client = taken
    isHolding = locked.rows[0]?.has === true
    onReconnect()
  }

  function lose(lost: PostgresClient): void {
    if (client !== lost) return
    client = undefined
    isHolding = false
    lost.release(true)
    retryLater(0)
  }

  function retryLater(afterMs = Math.min(pauseMs.most, pauseMs.least * 2 ** failures++)): void {
    cancelRetry()
    if (!isClosed) cancelRetry = clock.after(afterMs, () => void connect())
  }

  function inTime<Result>(answer: Promise<Result>): Promise<Result> {
    return new Promise((resolve, reject) => {
      const cancel = clock.after(limitMs, () => reject(new Error('The connection has not answered.')))
      answer.finally(cancel).then(resolve, reject)
    })
  }

  return {
    holds: () => isHolding,
    isDirect: () => isDirect,
    open(mine) {
      // After a failure, `retryLater` has already planned the next try.
      if (slot === mine && failures > 0) return
      const isOther = slot !== mine
      slot = mine
      if (client && isOther) lose(client)
      else void connect()
    },
    probe() {
      const probed = client
      if (!probed || isProbing) return
      isProbing = true
      // The server may still give the lock to an earlier connection of this process that it considers alive.
      const text = isHolding
        ? 'SELECT true AS has'
        : `SELECT pg_try_advisory_lock('${schema}'::regnamespace::oid::int, ${slot}) AS has`
      inTime(probed.query({ text }))
        .then(({ rows }) => {
          if (client === probed) isHolding = rows[0]?.has === true
        })
        .catch(() => lose(probed))
        .finally(() => (isProbing = false))
    },
    close() {
      isClosed = true
      cancelRetry()
      client?.release(true)
      client = undefined
      isHolding = false
    },
  }
}
