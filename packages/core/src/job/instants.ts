import type { Clock } from '../contracts/clock.ts'
import type { Job } from '../contracts/job.ts'
import { malformedJob } from '../errors/generation-error.ts'
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
  claim: { until: 'moves' },
  webhook: { dueAt: 'moves', attempts: { at: 'stays' } },
  unknown: { since: 'moves' },
  setback: { at: 'stays' },
}

type KeyOf<Event> = Event extends unknown ? keyof Event : never
type FieldOf<Event, Name> = Event extends unknown ? (Name extends keyof Event ? Event[Name] : never) : never
type EventFields = { [Name in KeyOf<JobEvent>]: FieldOf<JobEvent, Name> }

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

type Names = { readonly [name: string]: Kind | Names }

/**
 * @param change gets the name of the instant, and in front of it the names of the parts that it is in
 * @returns the same object when nothing changes
 */
function withInstants<Whole extends object>(
  whole: Whole,
  names: Names,
  change: (at: number, kind: Kind, name: string, parts: string) => number,
  parts = '',
): Whole {
  let changed: Record<string, unknown> | undefined
  for (const name in names) {
    const value = whole[name as keyof Whole] as object | number | undefined
    const kind = names[name]
    if (value === undefined || kind === undefined) continue
    const next =
      typeof kind === 'string'
        ? change(value as number, kind, name, parts)
        : Array.isArray(value)
          ? value.map((item) => withInstants(item, kind, change, `${parts}${name}.`))
          : withInstants(value as object, kind, change, `${parts}${name}.`)
    if (next !== value) (changed ??= { ...whole } as Record<string, unknown>)[name] = next
  }
  return (changed as Whole | undefined) ?? whole
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

/** Whether all instants are whole milliseconds, as nearly all are. Each write of a job comes here twice. */
function areWhole(whole: object, names: Names): boolean {
  for (const name in names) {
    const value = whole[name as keyof typeof whole] as object | number | undefined
    if (value === undefined || Number.isSafeInteger(value)) continue
    const kind = names[name]
    if (typeof value === 'number' || typeof kind !== 'object') return false
    if (Array.isArray(value) ? !value.every((part) => areWhole(part, kind)) : !areWhole(value, kind))
      return false
  }
  return true
}

/** The job with all its instants in whole milliseconds. */
export function wholeInstants(job: Job): Job {
  return areWhole(job, ofJobs) ? job : withInstants(job, ofJobs, Math.round)
}

/** The job with 0 in place of each of its instants. */
export function timelessJob(job: Job): Job {
  return withInstants(job, ofJobs, () => 0)
}

/** The job after the clock was set by `byMs`: as much time remains until its deadline and its next step as before. */
export function movedJob(job: Job, byMs: number): Job {
  return withInstants(job, ofJobs, (at, kind) => (kind === 'moves' ? at + byMs : at))
}

/** The event after the clock was set by `byMs` since the event was made. */
export function movedEvent(event: JobEvent, byMs: number): JobEvent {
  return withInstants(event, ofEvents, (at, kind) => (kind === 'moves' ? at + byMs : at))
}

/**
 * Checks the instants of a job before a store keeps it.
 * @throws GenerationError `internal_error` when one of them is no safe integer. Such an instant was computed wrongly, and
 *   not every database could keep it
 */
export function checkInstants(job: Job): void {
  if (areWhole(job, ofJobs)) return
  withInstants(job, ofJobs, (at, _kind, name, parts) => {
    if (Number.isSafeInteger(at)) return at
    throw malformedJob(job.id, `its ${parts}${name} (${at}) is not a whole number of milliseconds`)
  })
}
