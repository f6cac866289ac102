import type { Job } from '../contracts/job.ts'
import type { Log } from '../contracts/log.ts'
import { fieldsOf, whose } from '../job/whose.ts'
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

/** Logs the error of a plugin, with the plugin's name and the job. */
export function tellFault(log: Log, { name, moment, job }: PluginMoment, cause: unknown): void {
  const what = typeof job === 'string' ? `Job ${job}` : job && whose(job)
  const fields = typeof job === 'string' ? { job } : job && fieldsOf(job)
  log.error(
    `The plugin ${name} has failed at ${moment}${what === undefined ? '' : ` of ${what}`}: ${shortText(cause)}`,
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
