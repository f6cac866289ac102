import type { Clock } from '../contracts/clock.ts'
import type { Job } from '../contracts/job.ts'

/**
 * A provider gets no new jobs once the calls for this many jobs have failed with no answered call in between, or once it
 * knew none of the tasks of this many jobs in a row.
 */
const maxFaults = 5
/** A process does not judge what a provider knows until it has polled for this many milliseconds. */
const leastPollingMs = 60_000
/** How long a provider gets no new jobs at first, in milliseconds. */
const firstPauseMs = 30_000
const longestOpenMs = 10 * 60_000
/** While one trial submit is under way, other jobs check the breaker again after this many milliseconds. */
const probingMs = 2000
/**
 * A trial submit may never settle, if it belongs to a worker's request that is over. Another one is allowed after this
 * many milliseconds.
 */
const longestProbeMs = 3 * 60_000

/**
 * `submit`: the first submit of a job. `poll`: a poll of its task. `ask`: every other call for a job that the provider may
 * already have: find, cancel, or a repeated submit.
 */
export type CallKind = 'submit' | 'poll' | 'ask'

/**
 * How a call ended. `answered`: the provider answered, with success or refusal. `unknown`: the provider does not know the
 * task that was polled. `fault`: the call threw, had no answer
 * in time, got an invalid answer, or made no connection. `cut`: the end shows nothing about the provider, because the
 * service ended the call itself or lacked file descriptors or memory for it.
 */
export type CallEnd = 'answered' | 'unknown' | 'fault' | 'cut'

/** Keeps new jobs from a provider that is in trouble. Calls for jobs that the provider already has are always made. */
export interface Breaker {
  /** For how many milliseconds no new job may be submitted; 0 when one may be submitted now. */
  pauseMs(): number
  /** Whether the provider is in trouble. After the pause, one new job is tried. */
  isOpen(): boolean
  /**
   * Whether an answer that a task is unknown says something about the task. `false` while the provider knows none of its
   * tasks, as after a bad deployment of the vendor, and in the first minute in which this process polls.
   */
  knowsTasks(): boolean
  /**
   * Begins a call.
   * @returns a function to be called with the end of the call; `undefined` for a submit that must not be made now
   */
  begin(kind: CallKind, job: Pick<Job, 'id' | 'owner'>): ((end: CallEnd) => void) | undefined
}

/**
 * Makes a breaker. It opens for 30 seconds when the calls for five jobs have failed and no call was answered in
 * between. If the provider serves several owners, these jobs must belong to more than one of them. After the pause, one
 * submit is allowed. If it is answered, the breaker closes; if not, the pause is doubled, up to ten minutes.
 *
 * It also opens when the tasks of five jobs in a row are unknown at the provider. Then one submit is allowed every 30
 * seconds, until a poll finds its task.
 *
 * Polls cost nothing. While polls fail, no submit is risked, and a poll that is answered closes a breaker that polls
 * have opened. It does not close a breaker that submits have opened. Failures of a single job never open a breaker,
 * because they may be caused by the job itself.
 * @param tell called with the length of the pause in milliseconds each time the breaker opens, and with `undefined`
 *   each time it closes
 */
export function circuitBreaker(clock: Clock, tell: (openMs: number | undefined) => void): Breaker {
  /** For each kind of call, the latest jobs whose calls have failed: their ids and owners. */
  const faulty = {
    submit: new Map<string, string>(),
    ask: new Map<string, string>(),
    unknown: new Map<string, string>(),
  }
  let firstPollAt: number | undefined
  let onlyOwner: string | undefined
  let hasSeveralOwners = false
  let pauseMs = firstPauseMs
  let openUntil: number | undefined
  let openedAt = 0
  let probingUntil = 0

  /**
   * If there are several owners, the failures of one owner are not enough, because only this owner's requests may be
   * wrong.
   */
  function isTrippedBy(kind: keyof typeof faulty): boolean {
    const owners = faulty[kind]
    return owners.size >= maxFaults && (!hasSeveralOwners || new Set(owners.values()).size > 1)
  }

  function remainingMs(): number {
    if (openUntil === undefined) return 0
    const now = clock.uptime()
    if (now < openUntil) return openUntil - now
    return now < probingUntil ? probingMs : 0
  }

  function answered(kind: CallKind): void {
    // This checks for entries first, because V8 makes a new table for a cleared map.
    if (faulty.ask.size > 0) faulty.ask.clear()
    if (kind === 'submit' && faulty.submit.size > 0) faulty.submit.clear()
    if (kind === 'poll' && faulty.unknown.size > 0) faulty.unknown.clear()
    if (openUntil === undefined || isTrippedBy('submit') || isTrippedBy('ask')) return
    if (isTrippedBy('unknown')) {
      if (kind === 'submit') openUntil = Math.max(openUntil, clock.uptime() + firstPauseMs)
      return
    }
    openUntil = undefined
    pauseMs = firstPauseMs
    tell(undefined)
  }

  function failed(
    kind: keyof typeof faulty,
    { id, owner }: Pick<Job, 'id' | 'owner'>,
    isProbe: boolean,
  ): void {
    const latest = faulty[kind]
    latest.delete(id)
    latest.set(id, owner)
    for (const oldest of latest.keys()) if (latest.size > maxFaults) latest.delete(oldest)
    // Fewer than five jobs whose polls fail must not keep a breaker open that submits have opened.
    if (!isProbe && !isTrippedBy(kind)) return
    const wasOpen = openUntil !== undefined
    if (kind === 'unknown' && wasOpen) return
    if (isProbe) pauseMs = Math.min(longestOpenMs, pauseMs * 2)
    const now = clock.uptime()
    openedAt = wasOpen ? openedAt : now
    // The polls of some jobs, for example those of one model, may fail for ever. After `longestOpenMs` a submit is
    // allowed nevertheless.
    const until = isProbe ? now + pauseMs : Math.min(now + pauseMs, openedAt + longestOpenMs)
    openUntil = Math.max(openUntil ?? 0, until)
    if (!wasOpen || isProbe) tell(pauseMs)
  }

  return {
    pauseMs: remainingMs,
    isOpen: () => openUntil !== undefined,
    knowsTasks() {
      const pollsForMs = firstPollAt === undefined ? 0 : clock.uptime() - firstPollAt
      return faulty.unknown.size < maxFaults && pollsForMs >= leastPollingMs
    },
    begin(kind, job) {
      onlyOwner ??= job.owner
      hasSeveralOwners ||= job.owner !== onlyOwner
      if (kind === 'poll') firstPollAt ??= clock.uptime()
      if (kind === 'submit' && remainingMs() > 0) return undefined
      const isProbe = kind === 'submit' && openUntil !== undefined
      if (isProbe) probingUntil = clock.uptime() + longestProbeMs
      return (end) => {
        if (isProbe) probingUntil = 0
        if (end === 'answered') answered(kind)
        if (end === 'unknown') failed('unknown', job, false)
        if (end === 'fault') failed(kind === 'submit' ? kind : 'ask', job, isProbe && openUntil !== undefined)
      }
    },
  }
}
