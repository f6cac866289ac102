import type { Clock } from '@genmount/core'
import type { JobDatabase } from './job-database.ts'
import type { Session } from './session.ts'
import { silentMs } from './process-statements.ts'

/** The pause between two beats, in milliseconds. */
const pauseMs = 1000
/** The longest time between two beats for which no other process can have considered this one dead, in milliseconds. */
const longestGapMs = silentMs - 1500
/** For how long this process may use the database no more before the beats pause, in milliseconds. A sweep comes every 0.5 s. */
const restAfterMs = 2500

/**
 * Shows the other processes that this one is running: it writes the current instant into the row of this process at
 * intervals. It rests while this process neither uses the database nor holds a claim, so that a function that nobody calls
 * makes no query, and a database that nobody uses can be suspended.
 */
export interface Heartbeat {
  /** Makes the first beat. */
  start(): Promise<void>
  /**
   * Notes that the database is about to be used. After a rest it makes a beat first, because the others may take this process
   * for ended, and may have deleted its row.
   * @returns `undefined` when the use need not wait @throws the error of that beat
   */
  wake(): Promise<void> | undefined
  isResting(): boolean
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
  /** Whether the clock of the server was set so recently that others may not have written another beat since. */
  isInDoubt(): boolean
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
  /** Whether this process holds a claim on a job, which the others would take over if this process looked dead. */
  readonly holdsClaims: () => boolean
}

export function heartbeat({ processId, database, session, host, holdsClaims }: HeartbeatContext): Heartbeat {
  let isStopped = false
  let cancel = () => {}
  let steadySince = Number.POSITIVE_INFINITY
  /** When the last answered beat was sent. */
  let lastBeatAt = Number.NEGATIVE_INFINITY
  let doubtedAt = Number.NEGATIVE_INFINITY
  let lastUseAt = host.uptime()
  let isResting = false
  /** The beat after a rest, while it is under way. */
  let waking: Promise<void> | undefined

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

  const isNeeded = () => host.uptime() - lastUseAt < restAfterMs || holdsClaims()

  function beatIn(ms: number): void {
    cancel()
    if (isStopped) return
    const at = host.uptime() + ms
    cancel = host.after(ms, () => {
      isResting = !isNeeded()
      if (host.uptime() - at > longestGapMs) return afterFreeze()
      if (isResting) return
      session.probe()
      beat()
        .catch(() => {})
        .finally(() => beatIn(pauseMs))
    })
  }

  /**
   * This timer was late because the process was frozen, so the connections may be dead. The timers of the pool that close
   * idle connections are late, too, and run before this beat.
   */
  function afterFreeze(): void {
    if (!isResting) cancel = host.after(0, () => void wake()?.catch(() => beatIn(pauseMs)))
    isResting = true
  }

  function wake(): Promise<void> | undefined {
    lastUseAt = host.uptime()
    if (isResting)
      waking ??= beat()
        .then(() => {
          isResting = false
          beatIn(pauseMs)
        })
        .finally(() => (waking = undefined))
    return waking
  }

  return {
    async start() {
      await beat()
      beatIn(pauseMs)
    },
    wake,
    isResting: () => isResting,
    canJudge() {
      return isSeen() && host.uptime() - steadySince > silentMs
    },
    doubt: () => void (steadySince = doubtedAt = host.uptime()),
    isInDoubt: () => host.uptime() - doubtedAt < silentMs,
    beatNow: () => beatIn(0),
    seenSince: () => (isSeen() ? steadySince : Number.POSITIVE_INFINITY),
    stop() {
      isStopped = true
      cancel()
    },
  }
}
