import type { OutputFile, OutputReading } from '../contracts/output-change.ts'
import type { PluginHost } from '../contracts/plugin-host.ts'
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

type CallContext = Pick<PluginHost, 'clock' | 'log'>

export function outputCalls(plugins: readonly AttachedPlugin[], context: CallContext): OutputCalls {
  const changing = having(plugins, 'changeOutput')
  return {
    changesOf: (file) =>
      changing.flatMap(({ name, call }): readonly NamedChange[] => {
        const failed = warning(context, file, `is stored without the change of the plugin ${name}`)
        try {
          const made: unknown = call({ ...file })
          ignoreRejection(made)
          return checkChanges(`The result of changeOutput of the plugin ${name}`, made).map((change) => ({
            change,
            failed,
          }))
        } catch (fault) {
          failed(fault)
          return []
        }
      }),
    readingOf: readingCalls(plugins, context),
  }
}

/** How long a plugin may take to read some bytes of a file, or to say what it has read, in milliseconds. */
const readLimitMs = 10_000

function readingCalls(plugins: readonly AttachedPlugin[], context: CallContext): ReadingOf {
  const [reader] = having(plugins, 'readOutput')
  if (!reader) return () => undefined
  const { name, call } = reader
  return (file) => {
    const failed = warning(context, file, `is stored without the facts of the plugin ${name}`)
    let reading: OutputReading | undefined
    try {
      const made: unknown = call({ ...file })
      ignoreRejection(made)
      reading = checkReading(`The result of readOutput of the plugin ${name}`, made)
    } catch (fault) {
      failed(fault)
    }

    async function answered<Answer>(
      moment: 'facts' | 'read',
      check: Check<Answer>,
      ask: (reading: OutputReading) => unknown,
    ): Promise<Answer | undefined> {
      const current = reading
      if (!current) return undefined
      try {
        return await answerOf(context.clock, { name, moment, limitMs: readLimitMs, check }, () =>
          ask(current),
        )
      } catch (fault) {
        reading = undefined
        failed(fault)
        return undefined
      }
    }

    return (
      reading && {
        through: (stream) =>
          stream.pipeThrough(
            new TransformStream<Uint8Array, Uint8Array>({
              async transform(bytes, controller) {
                await answered('read', nothing, (plugin) => plugin.read(bytes))
                controller.enqueue(bytes)
              },
            }),
          ),
        async facts() {
          const facts = await answered('facts', checkFacts, (plugin) => plugin.facts())
          return facts ? { facts } : {}
        },
      }
    )
  }
}

/** A check of an answer that nobody reads. */
const nothing = () => {}

/** A promise where none belongs is refused, and its rejection must not end the process. */
function ignoreRejection(made: unknown): void {
  if (made instanceof Promise) made.catch(() => {})
}

function warning({ log }: CallContext, { index, job }: OutputFile, what: string): (cause: unknown) => void {
  return (cause) =>
    log.warn(`Output ${index} of job ${job.id} ${what}: ${shortText(cause)}`, { ...fieldsOf(job), cause })
}
