import type { Job } from '../contracts/job.ts'
import type { Log } from '../contracts/log.ts'
import { type AttachedPlugin, having } from './attached-plugins.ts'
import { attempt } from './plugin-fault.ts'

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

  return {
    wrote(job, before) {
      for (const { name, call } of writing)
        attempt(log, { name, moment: 'wrote', job }, () => call(job, before))
    },
    due(job) {
      for (const { name, call } of reading) attempt(log, { name, moment: 'due', job }, () => call(job))
    },
    started() {
      for (const { name, call } of starting) attempt(log, { name, moment: 'started', job: undefined }, call)
    },
  }
}
