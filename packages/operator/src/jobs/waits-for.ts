import {
  instantText,
  isFinished,
  type Job,
  type ProviderHealth,
  type ServiceHealth,
  type Setback,
} from '@genmount/core'

/** What is known of a job that waits. */
interface Waiting {
  readonly job: Job
  /** The name of the provider that has the job's task, or is to get it. `undefined` when this process does not have it. */
  readonly provider: string | undefined
  /** The provider, as this process sees it. */
  readonly health: ProviderHealth | undefined
  /** In milliseconds since the Unix epoch. */
  readonly now: number
}

/** One reason to wait: whether it is this one, and what is said then. */
interface Row {
  readonly is: (waiting: Waiting) => boolean
  readonly words: (waiting: Waiting) => string
}

const ahead = (at: number | undefined, now: number): at is number => at !== undefined && at > now
/** A claim of a poll without news is none that anything waits for: it runs out by itself. */
const isHeld = ({ job: { claim }, now }: Waiting) => ahead(claim?.until, now) && !claim?.isQuiet
const isEnded = ({ job }: Waiting) => isFinished(job)
const isNew = ({ job: { phase } }: Waiting) => phase === 'accepted'
const isTriedAgain = ({ job: { setback, dueAt }, now }: Waiting) => setback !== undefined && ahead(dueAt, now)
const nameOf = ({ provider, job }: Waiting) => provider ?? job.provider ?? 'its provider'
const next = ({ job: { dueAt }, now }: Waiting) => (ahead(dueAt, now) ? `at ${instantText(dueAt)}` : 'now')

const steps: Readonly<Record<string, (name: string) => string>> = {
  submitting: (name) => `A process submits it to ${name}`,
  running: (name) => `A process polls ${name}`,
  collecting: () => 'A process stores its outputs',
  completed: () => 'A process copies its outputs',
  failed: (name) => `A process looks for ${name}`,
}

const reasons: Record<Exclude<Setback['why'], 'input'>, (name: string) => string> = {
  busy: (name) => `${name} was busy`,
  unreached: (name) => `${name} was not reached`,
  no_answer: (name) => `${name} has not answered`,
  account: (name) => `${name} has refused the account of this service`,
  unknown_task: (name) => `${name} did not know the task`,
  no_output: (name) => `${name} has reported no output`,
  files: () => 'a file could not be stored or read',
}

/** Why a job waits. The first row that applies says it. */
// prettier-ignore
const rows: readonly Row[] = [
  {
    is: isHeld,
    words: (waiting) => `${steps[waiting.job.phase]?.(nameOf(waiting)) ?? 'A process has it'}; no other takes it before ${instantText(waiting.job.claim!.until!)}.`,
  },
  {
    is: (waiting) => isEnded(waiting) && waiting.job.webhook?.dueAt !== undefined,
    words: ({ job: { webhook }, now }) => {
      const { dueAt, failed = 0, token } = webhook!
      if (token !== undefined) return `Its webhook is being delivered; the next try is at ${instantText(dueAt!)} at the latest.`
      return `Waits for its webhook to be delivered, ${ahead(dueAt, now) ? `at ${instantText(dueAt)}` : 'now'}; ${failed} tries have failed.`
    },
  },
  {
    is: (waiting) => waiting.job.phase === 'completed' && waiting.job.earliestAt !== undefined,
    words: ({ job: { earliestAt } }) => `Waits for its outputs to be copied, at ${instantText(earliestAt!)}.`,
  },
  {
    is: (waiting) => waiting.job.phase === 'failed' && waiting.job.earliestAt !== undefined,
    words: (waiting) => `Waits for a process that has ${nameOf(waiting)}; one looks at ${instantText(waiting.job.earliestAt!)}.`,
  },
  { is: isEnded, words: () => '' },
  {
    is: ({ job: { cancelAskedAt } }) => cancelAskedAt !== undefined,
    words: (waiting) => `Waits for ${nameOf(waiting)} to end the task, which is to be canceled; asked again ${next(waiting)}.`,
  },
  {
    is: (waiting) => isNew(waiting) && waiting.job.setback?.why === 'input',
    words: (waiting) => `Waits for an output of another job; looked for again ${next(waiting)}.`,
  },
  {
    is: (waiting) => isNew(waiting) && waiting.health?.breaker === 'open',
    words: (waiting) => `The breaker of ${nameOf(waiting)} is open: it gets no new jobs until it answers again.`,
  },
  {
    is: isTriedAgain,
    words: (waiting) => {
      const { why } = waiting.job.setback!
      return `Tried again ${next(waiting)}, because ${reasons[why as keyof typeof reasons](nameOf(waiting))}.`
    },
  },
  {
    is: (waiting) => isNew(waiting) && (waiting.health?.stepsWaiting ?? 0) > 0,
    words: (waiting) => `Waits for a place at ${nameOf(waiting)}, where ${inSteps(waiting.health!.stepsWaiting)}.`,
  },
  {
    is: (waiting) => isNew(waiting) && waiting.provider === undefined,
    words: ({ job: { model } }) => `Waits for a process that serves ${model}; this one does not.`,
  },
  { is: isNew, words: (waiting) => `Waits to be submitted to ${nameOf(waiting)}, ${next(waiting)}.` },
  {
    is: ({ job: { phase } }) => phase === 'submitting',
    words: (waiting) => `Waits for news whether ${nameOf(waiting)} has taken it on; looked for again ${next(waiting)}.`,
  },
  {
    is: ({ job: { phase } }) => phase === 'collecting',
    words: (waiting) => `Waits for its outputs to be stored; the next try is ${next(waiting)}.`,
  },
  {
    is: () => true,
    words: (waiting) => `Waits for ${nameOf(waiting)} to make it; ${polled(waiting)}, and the next poll is ${next(waiting)}.`,
  },
]

function inSteps(count: number): string {
  return count === 1 ? '1 step waits' : `${count} steps wait`
}

function polled({ job: { claim, updatedAt, checkedAt } }: Waiting): string {
  const at = claim?.isQuiet ? updatedAt : checkedAt
  return at === undefined ? 'it was not polled yet' : `the last poll was at ${instantText(at)}`
}

/**
 * Says what a job waits for and until when, in a sentence for operators.
 * @param health the state of this process, which knows the gates and breakers of its own providers
 * @returns `undefined` when it has finished and owes nothing
 */
export function waitsFor(
  job: Job,
  provider: string | undefined,
  { providers }: Pick<ServiceHealth, 'providers'>,
  now: number,
): string | undefined {
  const health = providers.find(({ name }) => name === provider)
  const waiting = { job, provider, health, now }
  return rows.find(({ is }) => is(waiting))?.words(waiting) || undefined
}
