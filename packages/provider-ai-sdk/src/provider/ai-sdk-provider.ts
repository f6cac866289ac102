import type { ModelTaskOptions } from '../tasks/model-task-options.ts'
import { modelTasks } from '../tasks/model-tasks.ts'
import { costOf, type Provider } from '@genmount/core'
import { numberIn, pictureRefusal } from '@genmount/provider-kit'
import { withCallOptions } from '../input/call-options.ts'
import type { MediaInput } from '../input/input-schema.ts'
import { type AiSdkProviderOptions, checkAiSdkOptions } from './ai-sdk-options.ts'

/**
 * Runs image and video models of the AI SDK, of any version of its specification. The jobs of a video model with
 * `doStart` and `doStatus` survive a restart: every process that offers a model with the same id can continue them.
 * Other models make their output within one call. If that call breaks off, nobody knows whether the vendor charges for
 * it.
 * @throws TypeError that names the option, when an option is wrong
 * @example aiSdkProvider({ models: { flux: replicate.image('black-forest-labs/flux-schnell') } })
 */
export function aiSdkProvider(options: AiSdkProviderOptions): Provider {
  const { models: offered, callTimeoutMs, ...shared } = checkAiSdkOptions(options)
  const tasks = new Map(
    offered.models.map(({ id }) => {
      const entry = offered.of({ model: id })
      const { model, price, units, onWarning } = entry
      const costs: ModelTaskOptions['costOf'] = ({ input }, result, outputs) =>
        costOf(price, { input, units: units ? numberIn(units(result)) : outputs })
      return [entry, modelTasks(model, { ...shared, onWarning, costOf: costs })]
    }),
  )

  return {
    name: 'ai-sdk',
    models: offered.models,
    callTimeoutMs,

    async submit(task, { signal }) {
      const entry = offered.of(task)
      // The service passes the value that the model's schema returned.
      const input = task.input as unknown as MediaInput
      const reading = { fetchFile: shared.fetchFile, signal, owner: task.owner }
      try {
        return await withCallOptions(entry, input, reading, (call) =>
          tasks.get(entry)!.submit(task, call, signal),
        )
      } catch (error) {
        return pictureRefusal(error)
      }
    },

    async poll(task, { signal }) {
      const entry = offered.models.some(({ id }) => id === task.model) ? offered.of(task) : undefined
      if (entry) return tasks.get(entry)!.poll(task, signal)
      return { state: 'refused', message: `The task can't be polled without its model ${task.model}.` }
    },
  }
}
