import type { Json, Provider } from '@genmount/core'
import { failed, isTaskId, recordOf, vendorClient } from '@genmount/provider-kit'
import { spreadOutputs } from '@genmount/provider-kit/spreading'
import { pollAfterMs, taskReport, unfinished } from '../task/task-report.ts'
import { taskRequest } from '../task/task-request.ts'
import { wordsIn } from '../task/vendor-words.ts'
import { checkRunwayOptions, type RunwayProviderOptions } from './runway-options.ts'

/** The version of the API that this provider was written for. Runway requires one with each request. */
const version = '2024-11-06'
/** The largest answer, in bytes. An answer does not repeat the input, but the signed links of the outputs are long. */
const maxBytes = 4 * 1024 * 1024

/**
 * Runs the models of Runway's API as tasks. Every process that has the id of a task can poll and cancel it. Runway says
 * what a job has cost.
 * @throws TypeError that names the option, when an option is wrong
 * @example
 * runwayProvider({
 *   token: process.env.RUNWAYML_API_SECRET!,
 *   models: { 'gen4.5': { model: 'gen4.5', outputKind: 'video' } },
 * })
 */
export function runwayProvider(options: RunwayProviderOptions): Provider {
  const { token, models: offered, baseUrl, fetch, headers } = checkRunwayOptions(options)
  const { ask } = vendorClient({
    vendor: 'Runway',
    baseUrl,
    fetch,
    headers: { 'x-runway-version': version, ...headers, authorization: `Bearer ${token}` },
    wordsIn,
  })

  const provider: Provider = {
    name: 'runway',
    models: offered.models,

    async submit(task, { signal }) {
      const model = offered.of(task)
      const request = taskRequest(task.input, model)
      if (typeof request === 'string') return failed('provider_rejected', request)
      const answer = await ask({ method: 'POST', ...request, signal, maxBytes })
      if (!answer.ok) return answer.submitFailure({ modelName: `Runway model ${model.model}` })
      const { id } = recordOf(answer.json)
      if (!isTaskId(id)) throw new Error('Runway answered a submit without an id.')
      return { state: 'running', handle: id, pollAfterMs }
    },

    async poll(task, { signal }) {
      const path = pathOf(task.handle)
      if (path === undefined)
        return { state: 'unknown', message: 'The handle of this job does not name a task of Runway.' }
      const answer = await ask({ method: 'GET', path, signal, maxBytes })
      return answer.ok
        ? taskReport(answer.json, { id: String(task.handle), model: offered.ofTask(task), input: task.input })
        : answer.pollFailure()
    },

    async cancel({ handle }, { signal }) {
      const path = pathOf(handle)
      if (path === undefined) return
      const { ok, status, json } = await ask({ method: 'GET', path, signal, maxBytes })
      if (status === 404) return
      if (!ok) throw new Error(`Runway answered a poll before a cancellation with status ${status}.`)
      // Runway's only way to stop a task also deletes the outputs of a task that has ended. Those outputs are paid for.
      if (!unfinished.includes(recordOf(json)['status'])) return
      const stopped = await ask({ method: 'DELETE', path, signal })
      if (!stopped.ok && stopped.status !== 404)
        throw new Error(`Runway answered a cancellation with status ${stopped.status}.`)
    },
  }
  return spreadOutputs(provider, (task) =>
    offered.of(task).isSpread ? Number(task.input['num_outputs'] ?? 1) : 1,
  )
}

function pathOf(handle: Json): string | undefined {
  return isTaskId(handle) ? `/tasks/${handle}` : undefined
}
