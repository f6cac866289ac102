import type { OutputFile, OutputReading } from '../contracts/plugin/output-change.ts'
import type { PluginHost } from '../contracts/plugin/plugin-host.ts'
import type { ChangesOf, NamedChange } from '../outputs/changed-output.ts'
import type { ReadingOf } from '../outputs/file-reading.ts'
import { type AttachedPlugin, having } from './attached-plugins.ts'
import { checkChanges, checkFacts, checkReading } from './check-answers.ts'
import type { Check } from '../errors/check-option.ts'
import { fieldsOf } from '../job/whose.ts'
import { shortText } from '../text/short-text.ts'
import { answerOf } from './plugin-fault.ts'

/** The plugins of a service as the storing of outputs calls them. */
export interface OutputCalls {
  /** See `PluginHooks.changeOutput`. Never throws. */
  readonly changesOf: ChangesOf
  /** See `PluginHooks.readOutput`. Never throws. */
  readonly readingOf: ReadingOf
}

/** How long a plugin may take to read some bytes of a file, or to say what it has read, in milliseconds. */
const limitMs = 10_000

export function outputCalls(
  plugins: readonly AttachedPlugin[],
  { clock, log }: Pick<PluginHost, 'clock' | 'log'>,
): OutputCalls {
  const changing = having(plugins, 'changeOutput')
  const [reader] = having(plugins, 'readOutput')

  const warning =
    ({ index, job }: OutputFile, what: string, name: string) =>
    (cause: unknown): undefined =>
      void log.warn(
        `Output ${index} of job ${job.id} is stored without the ${what} of the plugin ${name}: ${shortText(cause)}`,
        { ...fieldsOf(job), cause },
      )

  return {
    changesOf: (file) =>
      changing.flatMap(({ name, call }): readonly NamedChange[] => {
        const failed = warning(file, 'change', name)
        try {
          return checked(checkChanges, `changeOutput of the plugin ${name}`, call({ ...file })).map(
            (change) => ({
              change,
              failed,
            }),
          )
        } catch (fault) {
          failed(fault)
          return []
        }
      }),

    readingOf(file) {
      if (!reader) return undefined
      const { name, call } = reader
      const failed = warning(file, 'facts', name)
      let reading: OutputReading | undefined
      try {
        reading = checked(checkReading, `readOutput of the plugin ${name}`, call({ ...file }))
      } catch (fault) {
        failed(fault)
      }
      if (!reading) return undefined

      /** Calls the plugin, unless a call of it has failed. */
      async function answered(moment: 'facts' | 'read', bytes: Uint8Array) {
        try {
          return (
            reading &&
            (await answerOf(clock, { name, moment, limitMs, check: checkFacts }, () =>
              reading![moment](bytes),
            ))
          )
        } catch (fault) {
          reading = undefined
          return failed(fault)
        }
      }

      return {
        through: (stream) =>
          stream.pipeThrough(
            new TransformStream({
              async transform(bytes, controller) {
                await answered('read', bytes)
                controller.enqueue(bytes)
              },
            }),
          ),
        async facts() {
          const facts = await answered('facts', new Uint8Array())
          return facts && { facts }
        },
      }
    },
  }
}

/** Checks what a function returns at once. A promise is refused, and its rejection must not end the process. */
function checked<Answer>(check: Check<Answer>, what: string, made: unknown): Answer {
  if (made instanceof Promise) made.catch(() => {})
  return check(`The result of ${what}`, made)
}
