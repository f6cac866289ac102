import type { Clock } from '@genmount/core'
import type { JobDatabase } from './job-database.ts'
import type { Session } from './session.ts'
import { silentMs } from './process-statements.ts'

/** The pause between two beats, in milliseconds. */
const pauseMs = 1000
/** The longest time between two beats for which no other process can have considered this one dead, in milliseconds. */
const longestGapMs = silentMs - 1500
/**
 * Shows the other processes that this one is running: it writes the current instant into the row of this process at
 * intervals.
 */
export interface Heartbeat {
  /** Makes the first beat. */
  start(): Promise<void>
  /**
   * Whether this process has been visible without a break for so long that every running process that can reach the
   * database has been visible, too. Otherwise all processes would look dead after an outage of the server.
   */
  canJudge(): boolean
  /**
   * The instant since which no other process can have considered this one dead, by the host's uptime in milliseconds.
   * `Infinity` if that is not certain.
   */
  seenSince(): number
  /** The clock of the server was set, so the others look dead until they have written another beat. */
  doubt(): void
  /** Makes the next beat at once, because the connection of the session has been established. */
  beatNow(): void
  stop(): void
}

/** The parts that {@link heartbeat} works with. */
export interface HeartbeatContext {
  readonly processId: string
  readonly database: Pick<JobDatabase, 'runAtOnce'>
  readonly session: Session
  /** The clock of the host. */
  readonly host: Clock
}

export function heartbeat({ processId, database, session, host }: HeartbeatContext): Heartbeat {
  let isStopped = false
  let cancel = () => {}
  let steadySince = Number.POSITIVE_INFINITY
  /** When the last answered beat was sent. */
  let lastBeatAt = Number.NEGATIVE_INFINITY

  /**
   * Whether the last answered beat is so recent that no other process can consider this one dead. The limit is shorter
   * than `silentMs`, so that the current work ends before that.
   */
  function isSeen(): boolean {
    return host.uptime() - lastBeatAt < longestGapMs
  }

  async function beat(): Promise<void> {
    const sentAt = host.uptime()
    const [row] = await database.runAtOnce('beat', [processId, session.isDirect()])
    const heardAt = host.uptime()
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
    doubt: () => void (steadySince = host.uptime()),
    beatNow: () => beatIn(0),
    seenSince: () => (isSeen() ? steadySince : Number.POSITIVE_INFINITY),
    stop() {
      isStopped = true
      cancel()
    },
  }
}
