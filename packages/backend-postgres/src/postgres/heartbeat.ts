import type { Clock } from '@genmount/core'
import type { DatabaseClock } from './database-clock.ts'
import type { JobDatabase } from './job-database.ts'
import type { Session } from './session.ts'
import { silentMs } from './statements.ts'

/** The pause between two beats, in milliseconds. */
const pauseMs = 1000
/** The longest time between two beats for which no other process can have taken this one for ended, in milliseconds. */
const longestGapMs = silentMs - 1500

/**
 * Shows the other processes that this one lives: writes the present instant into the row of this process, again and
 * again. The answers tell what time it is by the server.
 */
export interface Heartbeat {
  /** Makes the first beat. */
  start(): Promise<void>
  /**
   * Whether this process has been seen without a break for so long that every process which lives and can reach the
   * database has been seen, too. Otherwise all would look dead after the server was away.
   */
  canJudge(): boolean
  /** Since when no other process can have taken this one for ended, by the host's uptime. `Infinity` if that is not sure. */
  seenSince(): number
  /** Makes the next beat at once, because the connection of the session has been made. */
  beatNow(): void
  stop(): void
}

/** What {@link heartbeat} works with. */
export interface HeartbeatContext {
  readonly processId: string
  readonly database: Pick<JobDatabase, 'runAtOnce'>
  readonly session: Session
  /** The clock of the host. */
  readonly host: Clock
  readonly clock: DatabaseClock
}

export function heartbeat({ processId, database, session, host, clock }: HeartbeatContext): Heartbeat {
  let isStopped = false
  let cancel = () => {}
  let steadySince = Number.POSITIVE_INFINITY
  /** When the last beat was sent that the server has answered. */
  let lastBeatAt = Number.NEGATIVE_INFINITY

  /** Less than the time after which others take this process for ended, so that what it now does comes before that. */
  function isSeen(): boolean {
    return host.uptime() - lastBeatAt < longestGapMs
  }

  async function beat(): Promise<void> {
    const sentAt = host.uptime()
    const [row] = await database.runAtOnce('beat', [processId, session.isDirect()])
    const heardAt = host.uptime()
    clock.read(Number(row?.['now']), sentAt, heardAt)
    if (heardAt - lastBeatAt > longestGapMs) steadySince = heardAt
    lastBeatAt = sentAt
    if (!isStopped) session.open(Number(row?.['slot']))
  }

  function beatIn(ms: number): void {
    cancel()
    if (isStopped) return
    cancel = host.after(ms, () => {
      session.probe()
      beat()
        .catch(() => {})
        .finally(() => beatIn(pauseMs))
    })
  }

  return {
    async start() {
      await beat()
      beatIn(pauseMs)
    },
    canJudge() {
      return isSeen() && host.uptime() - steadySince > silentMs
    },
    beatNow: () => beatIn(0),
    seenSince: () => (isSeen() ? steadySince : Number.POSITIVE_INFINITY),
    stop() {
      isStopped = true
      cancel()
    },
  }
}
