import type { Provider, RunningTask } from '@genmount/core'
import { failed, recordOf, vendorClient, webhook } from '@genmount/provider-kit'
import { isHooked, pollingUrl, taskHandle } from '../task/task-handle.ts'
import { taskReport } from '../task/task-report.ts'
import { wordsIn } from '../task/vendor-words.ts'
import { bflWebhook } from '../webhook/bfl-webhook.ts'
import { type BflProviderOptions, checkBflOptions } from './bfl-options.ts'
import { requestBody } from './request-body.ts'

/**
 * Runs the FLUX models of Black Forest Labs. Every process can continue a job by its handle. BFL reports what a job has
 * cost. BFL can't stop a task.
 * @throws TypeError that names the option, when an option is wrong
 * @example
 * bflProvider({
 *   token: process.env.BFL_API_KEY!,
 *   models: { 'flux-2-pro': { endpoint: 'flux-2-pro', outputKind: 'image' } },
 * })
 */
export function bflProvider(options: BflProviderOptions): Provider {
  const checked = checkBflOptions(options)
  const { token, models: offered, webhookSecret, now, baseUrl, fetch, headers } = checked
  const clientOf = (address: string) =>
    vendorClient({
      vendor: 'Black Forest Labs',
      baseUrl: address,
      fetch,
      headers: { ...headers, 'x-key': token },
      secrets: webhookSecret === undefined ? [] : [webhookSecret],
      wordsIn,
    })
  const { ask } = clientOf(baseUrl)
  const handleIn = (handle: unknown) => taskHandle(handle, baseUrl)

  /** BFL sends webhooks only to https URLs. */
  function webhookFor(url: string | undefined) {
    if (webhookSecret === undefined || !url?.startsWith('https:')) return {}
    return { webhook_url: url, webhook_secret: webhookSecret }
  }

  return {
    name: 'bfl',
    models: offered.models,

    async submit(task, { signal, callbackUrl }) {
      const model = offered.of(task)
      const body = requestBody(task.input, model)
      if (typeof body === 'string') return failed('provider_rejected', body)
      const json = { ...body, ...(model.takesWebhook && webhookFor(callbackUrl)) }
      const answer = await ask({ method: 'POST', path: model.endpoint, json, callbackUrl, signal })
      if (!answer.ok) return answer.submitFailure({ modelName: `BFL endpoint ${model.endpoint}` })
      const handle = handleIn(answer.json)
      if (!handle) throw new Error('Black Forest Labs answered a submit without an id.')
      return { state: 'running', handle }
    },

    async poll(task: RunningTask, { signal }) {
      const handle = handleIn(task.handle)
      if (!handle)
        return {
          state: 'unknown',
          message: 'The handle of this job does not name a task of Black Forest Labs.',
        }
      const { href, origin } = pollingUrl(handle, baseUrl)
      const answer = await clientOf(origin).ask({ method: 'GET', path: href, signal })
      const report = answer.ok
        ? taskReport(answer.json, { handle, model: offered.ofTask(task), input: task.input })
        : answer.pollFailure()
      // Without a polling URL, BFL may have the task in another cluster, and its webhook brings the result.
      return report.state === 'unknown' && webhookSecret !== undefined && isHooked(handle)
        ? { state: 'running', handle, isAssumed: true }
        : report
    },

    ...(webhookSecret !== undefined && {
      async readCallback(request, task) {
        const payload = recordOf(await bflWebhook(request, { secret: webhookSecret, now: now() }))
        const handle = handleIn({ id: payload['id'] ?? payload['task_id'] })
        if (!handle) throw new Error('The webhook has no id.')
        const own = handleIn(task?.handle) ?? handle
        if (!task || own.id !== handle.id) return handle
        const { input } = task
        return webhook.news(handle, () =>
          taskReport(payload, { handle: own, model: offered.ofTask(task), input }),
        )
      },
    }),
  }
}
