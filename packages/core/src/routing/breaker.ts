import type { Clock } from '../contracts/clock.ts'
import type { Job } from '../contracts/job.ts'

/** How many jobs' calls must come to nothing, with no good one between, before a provider is given no new jobs. */
const maxFaults = 5
const firstPauseMs = 30_000
const longestOpenMs = 10 * 60_000
/** How soon to look again while the one submit that is let through is under way. */
const probingMs = 2000
/** One that never comes back (a worker's request that is over) is followed by another. */
const longestProbeMs = 3 * 60_000

/** `ask` is every call for a job that the provider may have: poll, find, cancel, a submit made again. */
export type CallKind = 'submit' | 'ask'

/**
 * `answered`: whatever was said. `fault`: a throw, silence, nonsense, or nobody there. `cut`: it tells nothing, because we
 * ended the call ourselves or lacked the means to make it.
 */
export type CallEnd = 'answered' | 'fault' | 'cut'

/** Keeps new jobs from a provider that is in trouble. Jobs that it has are always asked after. */
export interface Breaker {
  /** How long no new job may be submitted, in milliseconds; 0 when one may now. */
  pauseMs(): number
  /** Begins a call. @returns what is to be told of its end, or `undefined` for a submit that must not be made now */
  begin(kind: CallKind, job: Pick<Job, 'id' | 'owner'>): ((end: CallEnd) => void) | undefined
}

/**
 * Opens for 30 seconds when five jobs in a row have met a fault, of more than one owner where it serves several. Then one
 * submit is let through: it closes the breaker when it is answered, and else doubles the pause, up to ten minutes. Polls
 * are probes that cost nothing: while they fail no submit is risked, and one that is answered closes what polls have
 * opened. It does not vouch for submits, though, nor do the faults of a single job tell anything of the provider.
 * @param tell is told of each opening, for how long, and of each closing
 */
export function circuitBreaker(clock: Clock, tell: (openMs: number | undefined) => void): Breaker {
  /** The owners of the latest jobs that met a fault. */
  const faulty = { submit: new Map<string, string>(), ask: new Map<string, string>() }
  let onlyOwner: string | undefined
  let hasSeveralOwners = false
  let pauseMs = firstPauseMs
  let openUntil: number | undefined
  let openedAt = 0
  let probingUntil = 0

  /** Not by one owner among several: what that one asks for may be all that is wrong. */
  function isTrippedBy(kind: CallKind): boolean {
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
    faulty.ask.clear()
    if (kind === 'submit') faulty.submit.clear()
    if (openUntil === undefined || isTrippedBy('submit') || isTrippedBy('ask')) return
    openUntil = undefined
    pauseMs = firstPauseMs
    tell(undefined)
  }

  function failed(kind: CallKind, { id, owner }: Pick<Job, 'id' | 'owner'>, isProbe: boolean): void {
    const latest = faulty[kind]
    latest.delete(id)
    latest.set(id, owner)
    for (const oldest of latest.keys()) if (latest.size > maxFaults) latest.delete(oldest)
    // A few jobs that can't be asked after must not keep a breaker open that submits have opened.
    if (!isProbe && !isTrippedBy(kind)) return
    const wasOpen = openUntil !== undefined
    if (isProbe) pauseMs = Math.min(longestOpenMs, pauseMs * 2)
    const now = clock.uptime()
    openedAt = wasOpen ? openedAt : now
    // Polls of some jobs may fail for ever, of one model say: by then a submit must tell.
    const until = isProbe ? now + pauseMs : Math.min(now + pauseMs, openedAt + longestOpenMs)
    openUntil = Math.max(openUntil ?? 0, until)
    if (!wasOpen || isProbe) tell(pauseMs)
  }

  return {
    pauseMs: remainingMs,
    begin(kind, job) {
      onlyOwner ??= job.owner
      hasSeveralOwners ||= job.owner !== onlyOwner
      if (kind === 'submit' && remainingMs() > 0) return undefined
      const isProbe = kind === 'submit' && openUntil !== undefined
      if (isProbe) probingUntil = clock.uptime() + longestProbeMs
      return (end) => {
        if (isProbe) probingUntil = 0
        if (end === 'answered') answered(kind)
        if (end === 'fault') failed(kind, job, isProbe && openUntil !== undefined)
      }
    },
  }
}
