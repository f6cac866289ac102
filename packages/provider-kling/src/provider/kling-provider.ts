import type { Provider, ProviderReport, ProviderTask } from '@genmount/core'
import { failed, partWith, recordOf, webhook } from '@genmount/provider-kit'
import { klingClient } from '../client/kling-client.ts'
import { submitReport } from '../client/service-codes.ts'
import { findPath, pollPath, taskHandle, taskOf } from '../task/task-handle.ts'
import { listedTasks } from '../task/listed-tasks.ts'
import { externalIdIn, idIn, taskIn, taskReport } from '../task/task-report.ts'
import { taskRequest } from '../task/task-request.ts'
import { checkKlingOptions, type KlingProviderOptions, type OfferedModel } from './kling-options.ts'

/** The largest answer, in bytes: one may have the signed links of nine pictures twice. */
const maxBytes = 4 * 1024 * 1024

/**
 * Makes films and pictures with Kling AI's own API. Every process can continue a job by the id of its task. Each task has our own id
 * (`external_task_id`), so a submit whose answer was lost is found again. Kling says what a job has cost. It has no way to stop a task.
 * @throws TypeError that names the option, when an option is wrong
 * @see https://kling.ai/document-api
 * @example
 * klingProvider({
 *   token: process.env.KLING_API_KEY!,
 *   models: { 'kling-3.0-turbo': { outputKind: 'video' } },
 * })
 */
export function klingProvider(options: KlingProviderOptions): Provider {
  const { models: offered, webhookSecret, now, ...access } = checkKlingOptions(options)
  const { ask } = klingClient({ ...access, now })

  /**
   * Where a task is posted, by its job.
   * @returns an empty text when the model is on offer no more: then `/tasks` may know the task
   */
  function pathOf(task: ProviderTask): string {
    const { vendorInput, ...model } = offered.ofTask(task)
    const request =
      vendorInput && taskRequest(task.input, { ...model, vendorInput } as OfferedModel, noOptions)
    return typeof request === 'object' ? request.path : ''
  }

  return {
    name: 'kling',
    models: offered.models,
    ...(webhookSecret === undefined && { callbacksAreHints: true }),

    async submit(task, { signal, callbackUrl: hook }) {
      const model = offered.of(task)
      // Kling sends callbacks only to https URLs.
      const callback_url = hook?.startsWith('https:') ? hook : undefined
      const request = taskRequest(task.input, model, { external_task_id: task.clientToken, callback_url })
      if (typeof request === 'string') return failed('provider_rejected', request)
      const answer = await ask({ method: 'POST', ...request, callbackUrl: callback_url, signal, maxBytes })
      if (!answer.ok) return submitReport(answer, `Kling model ${model.model}`)
      const handle = taskHandle(request.path, idIn(partWith(['id', 'task_id'], answer.json)))
      if (handle === undefined) throw new Error('Kling answered a submit without an id.')
      return { state: 'running', handle }
    },

    async poll(task, { signal }) {
      const named = taskOf(task.handle)
      if (!named)
        return { state: 'unknown', message: 'The handle of this job does not name a task of Kling.' }
      const answer = await ask({ method: 'GET', path: pollPath(named), signal, maxBytes })
      if (!answer.ok) return answer.pollFailure()
      const state = taskIn(answer.json, named.id)
      if (!state) return unknown
      const { input, handle } = task
      return taskReport(state, { handle, model: offered.ofTask(task), input })
    },

    async find(task, { signal }) {
      const path = pathOf(task)
      const answer = await ask({
        method: 'GET',
        path: findPath(path, task.clientToken),
        signal,
        maxBytes,
      })
      if (!answer.ok) return answer.pollFailure()
      // Another task in the answer proves nothing.
      const { data } = recordOf(answer.json)
      const state = [data]
        .flat()
        .map(recordOf)
        .find((one) => externalIdIn(one) === task.clientToken)
      const handle = state && taskHandle(path, idIn(state))
      return handle === undefined ? unknown : { state: 'running', handle }
    },

    // Kling's older keys do not open its list of tasks.
    ...(typeof access.credentials === 'string' && {
      list: (since, signal) => listedTasks(ask, since, signal),
    }),

    ...(webhookSecret !== undefined && {
      async readCallback(request, task) {
        await webhook.standard({ ...request, secret: webhookSecret, now: now() })
        const state = recordOf(webhook.json(request.body))
        const path = taskOf(task?.handle)?.path ?? (task && pathOf(task))
        const handle = taskHandle(path, idIn(state))
        if (handle === undefined) throw new Error('The webhook has no id of a task.')
        if (!task || (task.handle !== null && taskOf(task.handle)?.id !== taskOf(handle)?.id)) return handle
        const { input } = task
        return webhook.news(handle, () => taskReport(state, { handle, model: offered.ofTask(task), input }))
      },
    }),
  }
}

const unknown: ProviderReport = { state: 'unknown', message: 'Kling does not know the task.' }
const noOptions = { external_task_id: '', callback_url: undefined }
