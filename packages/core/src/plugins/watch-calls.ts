import type { Job } from '../contracts/job.ts'
import type { Log } from '../contracts/log.ts'
import { fieldsOf, whose } from '../job/whose.ts'
import { shortText } from '../text/short-text.ts'
import type { AttachedPlugin } from './attached-plugins.ts'
import { having } from './create-calls.ts'

/** The plugins of a service that see its jobs. Nothing here throws or is awaited. */
export interface WatchCalls {
  /** See `PluginHooks.wrote`. */
  wrote(job: Job, before: Job | undefined): void
  /** See `PluginHooks.due`. */
  due(job: Job): void
  /** See `PluginHooks.started`. */
  started(): void
}

/** Makes the calls of the plugins that see jobs. */
export function watchCalls(plugins: readonly AttachedPlugin[], log: Log): WatchCalls {
  const writing = having(plugins, 'wrote')
  const reading = having(plugins, 'due')
  const starting = having(plugins, 'started')

  function attempt(name: string, moment: string, job: Job | undefined, call: () => unknown): void {
    const at = job ? `${moment} of ${whose(job)}` : moment
    const tell = (fault: unknown) =>
      log.error(`The plugin ${name} has failed at ${at}: ${shortText(fault)}`, {
        ...(job && fieldsOf(job)),
        cause: fault,
      })
    try {
      const done = call()
      if (done instanceof Promise) done.catch(tell)
    } catch (fault) {
      tell(fault)
    }
  }

  return {
    wrote(job, before) {
      for (const { name, call } of writing) attempt(name, 'wrote', job, () => call(job, before))
    },
    due(job) {
      for (const { name, call } of reading) attempt(name, 'due', job, () => call(job))
    },
    started() {
      for (const { name, call } of starting) attempt(name, 'started', undefined, call)
    },
  }
}
