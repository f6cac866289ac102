import type { Clock } from '../contracts/clock.ts'
import type { Ending } from '../contracts/ending.ts'
import type { Job } from '../contracts/job.ts'
import type { Log } from '../contracts/log.ts'
import { fieldsOf, whose } from '../job/whose.ts'
import type { Check } from '../errors/check-option.ts'
import { withinLimit } from '../pacing/within-limit.ts'
import { shortText } from '../text/short-text.ts'

/** Where a plugin has failed. */
export interface PluginMoment {
  /** The name of the plugin. */
  readonly name: string
  /** The name of the function that has failed. */
  readonly moment: string
  /** `undefined` when the function has no job, or the job is not stored. */
  readonly job: Job | string | undefined
}

/** The name of the plugin that calls the app's functions, which its author does not know as a plugin. */
export const appName = 'app'

/** Logs the error of a plugin, with the plugin's name and the job. */
export function tellFault(log: Log, { name, moment, job }: PluginMoment, cause: unknown): void {
  const what = typeof job === 'string' ? `Job ${job}` : job && whose(job)
  const fields = typeof job === 'string' ? { job } : job && fieldsOf(job)
  log.error(
    `The ${name === appName ? 'app' : `plugin ${name}`} has failed at ${moment}${what === undefined ? '' : ` of ${what}`}: ${shortText(cause)}`,
    { ...fields, cause },
  )
}

/** Makes a call whose end nobody waits for. Its error goes to the log. */
export function attempt(log: Log, at: PluginMoment, call: () => unknown): void {
  const tell = (fault: unknown) => tellFault(log, at, fault)
  try {
    const done = call()
    if (done instanceof Promise) done.catch(tell)
  } catch (fault) {
    tell(fault)
  }
}

/** A call of a plugin whose answer is awaited. */
interface PluginCall<Answer> {
  /** The name of the plugin. */
  readonly name: string
  /** The name of the function that is called. */
  readonly moment: string
  /** How long it may take, in milliseconds. */
  readonly limitMs: number
  /** Checks the answer. */
  readonly check: Check<Answer>
  /** When this ends, the wait ends too. @default only the time ends it */
  readonly cut?: Ending
}

/** Waits for the answer of a plugin. @throws its error; an error that names the call, for a wrong answer and for none in time */
export function answerOf<Answer>(
  clock: Clock,
  { name, moment, limitMs, check, cut }: PluginCall<Answer>,
  call: () => unknown,
): Promise<Answer> {
  const what = `${moment} of the plugin ${name}`
  return withinLimit(clock, limitMs, what, async () => check(`The result of ${what}`, await call()), cut)
}
