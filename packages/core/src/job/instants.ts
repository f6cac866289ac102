import type { Clock } from '../contracts/clock.ts'
import type { Job } from '../contracts/job.ts'
import { malformedJob } from '../errors/malformed-job.ts'
import type { JobEvent } from './job-event.ts'

/**
 * `moves`: the instant measures elapsed time, and moves with a clock that is set, so that as much time remains as before.
 * `stays`: the instant is a time of day, which owners may see.
 */
type Kind = 'moves' | 'stays'

/** The names in an object that are those of instants. */
type InstantName<Whole> = Extract<keyof Whole, `${string}At` | `${string}Until` | 'at' | 'since' | 'until'>

/** What is inside a field: the object, or the objects of the list. */
type Inside<Value> = Value extends readonly (infer Item)[] ? Item : Value

/** The names of the fields that have instants inside. */
type PartName<Whole> = {
  [Name in keyof Whole]-?: Inside<NonNullable<Whole[Name]>> extends infer Part extends object
    ? [InstantName<Part> | PartName<Part>] extends [never]
      ? never
      : Name
    : never
}[keyof Whole]

/** Every instant in an object, also those inside its fields. One that is missing does not compile. */
type Instants<Whole> = { readonly [Name in InstantName<Whole>]: Kind } & {
  readonly [Name in PartName<Whole>]: Instants<Inside<NonNullable<Whole[Name]>>>
}

const ofJobs: Instants<Job> = {
  createdAt: 'stays',
  expiresAt: 'stays',
  deadlineAt: 'moves',
  startedAt: 'stays',
  completedAt: 'stays',
  cancelAskedAt: 'stays',
  updatedAt: 'stays',
  deletedAt: 'stays',
  deleteAt: 'stays',
  checkedAt: 'moves',
  dueAt: 'moves',
  earliestAt: 'moves',
  claimedUntil: 'moves',
  webhook: { dueAt: 'moves', attempts: { at: 'stays' } },
  unknown: { since: 'moves' },
  setback: { at: 'stays' },
}

/** All fields of all events. */
type EventFields = {
  [Name in JobEvent extends infer Event ? (Event extends unknown ? keyof Event : never) : never]?: FieldOf<
    JobEvent,
    Name
  >
}
type FieldOf<Event, Name> = Event extends unknown ? (Name extends keyof Event ? Event[Name] : never) : never

const ofEvents: Instants<EventFields> = {
  until: 'moves',
  earliestAt: 'moves',
  dueAt: 'moves',
  pollAt: 'moves',
  retryAt: 'moves',
  copyAt: 'moves',
  lookAt: 'moves',
  nextPoll: { earliestAt: 'moves', dueAt: 'moves' },
  collected: { copyAt: 'moves' },
  attempt: { at: 'stays' },
}

/** Instants as they are read at run time. */
type Named = { readonly [name: string]: Kind | Named }

function withInstants<Whole extends object>(
  whole: Whole,
  instants: Named,
  change: (at: number, kind: Kind) => number,
): Whole {
  const changed = { ...whole } as Record<string, unknown>
  for (const [name, kind] of Object.entries(instants)) {
    const value = changed[name]
    if (value === undefined) continue
    if (typeof kind === 'string') changed[name] = change(value as number, kind)
    else if (Array.isArray(value)) changed[name] = value.map((item) => withInstants(item, kind, change))
    else changed[name] = withInstants(value as object, kind, change)
  }
  return changed as Whole
}

/**
 * The clock in whole milliseconds. `performance.now()` has fractions, and so has all that is computed from it.
 */
export function wholeClock(clock: Clock): Clock {
  return {
    now: () => Math.round(clock.now()),
    uptime: () => Math.floor(clock.uptime()),
    after: (delayMs, run) => clock.after(delayMs, run),
  }
}

/** The job with all its instants in whole milliseconds. */
export function wholeInstants(job: Job): Job {
  return oddInstant(job) === undefined ? job : withInstants(job, ofJobs, Math.round)
}

/** The job after the clock was set by `byMs`: as much time remains until its deadline and its next step as before. */
export function movedJob(job: Job, byMs: number): Job {
  return withInstants(job, ofJobs, (at, kind) => (kind === 'moves' ? at + byMs : at))
}

/** The event after the clock was set by `byMs` since it was made. */
export function movedEvent(event: JobEvent, byMs: number): JobEvent {
  return withInstants(event, ofEvents, (at, kind) => (kind === 'moves' ? at + byMs : at))
}

/**
 * Checks the instants of a job before a store keeps it.
 * @throws GenerationError `internal_error` when one of them is no safe integer. Such an instant was computed wrongly, and
 *   not every database could keep it
 */
export function checkInstants(job: Job): void {
  const odd = oddInstant(job)
  if (odd !== undefined) throw malformedJob(job.id, `its ${odd} is not a whole number of milliseconds`)
}

/** @returns the first instant that is no safe integer, with its value */
function oddInstant(whole: object, instants: Named = ofJobs): string | undefined {
  for (const name in instants) {
    const value = (whole as Readonly<Record<string, unknown>>)[name]
    if (value === undefined) continue
    const kind = instants[name]!
    if (typeof kind === 'string') {
      if (!Number.isSafeInteger(value)) return `${name} (${String(value)})`
      continue
    }
    for (const part of Array.isArray(value) ? value : [value]) {
      const odd = oddInstant(part, kind)
      if (odd !== undefined) return `${name}.${odd}`
    }
  }
  return undefined
}
