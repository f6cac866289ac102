import type { Log } from '../contracts/log.ts'
import type { ChangesOf, NamedChange } from '../outputs/changed-output.ts'
import { type AttachedPlugin, having } from './attached-plugins.ts'
import { checkChanges } from './check-answers.ts'
import { fieldsOf } from '../job/whose.ts'
import { shortText } from '../text/short-text.ts'

/** The plugins of a service as the storing of outputs calls them. */
export interface OutputCalls {
  /** See `PluginHooks.changeOutput`. Never throws. */
  readonly changesOf: ChangesOf
}

export function outputCalls(plugins: readonly AttachedPlugin[], log: Log): OutputCalls {
  const changing = having(plugins, 'changeOutput')
  return {
    changesOf: (file) =>
      changing.flatMap(({ name, call }): readonly NamedChange[] => {
        const failed = (cause: unknown) =>
          log.warn(
            `Output ${file.index} of job ${file.job.id} is stored without the change of the plugin ${name}: ${shortText(cause)}`,
            { ...fieldsOf(file.job), cause },
          )
        try {
          const made: unknown = call({ ...file })
          // A promise is refused, and its rejection must not end the process.
          if (made instanceof Promise) made.catch(() => {})
          return checkChanges(`The result of changeOutput of the plugin ${name}`, made).map((change) => ({
            change,
            failed,
          }))
        } catch (fault) {
          failed(fault)
          return []
        }
      }),
  }
}
