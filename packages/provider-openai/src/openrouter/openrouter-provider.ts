import type { JsonObject, Provider, RunningTask } from '@genmount/core'
import { failed, recordOf, vendorClient, webhook } from '@genmount/provider-kit'
import { failureReport } from '../gpt-image/openai-failure.ts'
import { endOf, polledReport, startedReport } from '../videos/video-report.ts'
import { maxAnswerBytes, videoHandle, videosCallTimeoutMs } from '../videos/video-task.ts'
import { checkOpenrouterOptions, type OpenrouterOptions } from './openrouter-options.ts'
import { liveModels } from './live-models.ts'
import { openrouterWebhook } from './openrouter-webhook.ts'

/**
 * Makes films with the models of OpenRouter. The id of a film is the handle, so any process can continue a job. OpenRouter
 * says what each film has cost. Its API has no cancellation, no idempotency key and no list of films: a submit whose answer
 * is lost stays ambiguous, unless a signed webhook names the film.
 *
 * While a service runs, the provider reads OpenRouter's list of models at the start and each hour, and offers the app's models
 * with the limits and the prices of the list.
 * @throws TypeError that names the option, when an option is wrong
 * @see https://openrouter.ai/docs/guides/overview/multimodal/video-generation
 * @example openrouterProvider({ token: process.env.OPENROUTER_API_KEY!, models: { 'wan-3': { model: 'alibaba/wan-3.0' } } })
 */
export function openrouterProvider(options: OpenrouterOptions): Provider {
  const { token, models: chosen, webhookSecret, now, ...checked } = checkOpenrouterOptions(options)
  const { baseUrl, fetch, fetchFile } = checked
  const vendor = 'OpenRouter'
  const headers = { ...checked.headers, authorization: `Bearer ${token}` }
  const { ask } = vendorClient({ vendor, baseUrl, fetch, headers })
  const server = { vendor, baseUrl, ask, fetchFile }

  const offered = liveModels(chosen, ask)

  const costIn = (task: Pick<RunningTask, 'model' | 'input'>) => () =>
    offered.ofTask(task).costOf?.(task.input)

  return {
    name: 'openrouter',
    models: offered.models,
    followModels: offered.followModels,
    ...(chosen === 'all' && { ready: offered.read }),
    callTimeoutMs: videosCallTimeoutMs,
    ...(webhookSecret === undefined && { callbacksAreHints: true }),

    async submit(task, { signal, callbackUrl: hook }) {
      const { vendorModel, vendorInput, fixed } = offered.of(task)
      const input = vendorInput(task.input)
      if (!input) return failed('provider_rejected', 'The input cannot be translated for this model.')
      // OpenRouter refuses a film whose webhook goes to another URL.
      const callbackUrl = hook?.startsWith('https:') ? hook : undefined
      const json = { ...input, ...fixed, model: vendorModel, callback_url: callbackUrl }
      const maxBytes = maxAnswerBytes
      const answer = await ask({ method: 'POST', path: '/videos', json, callbackUrl, signal, maxBytes })
      if (answer.ok) return startedReport(answer, server, costIn(task))
      return failureReport(answer, `OpenRouter model ${vendorModel}`)
    },

    poll: ({ handle, ...task }, { signal }) =>
      polledReport(server, {
        handle: handle as JsonObject,
        signal,
        owner: task.owner,
        costOf: costIn(task),
      }),

    ...(webhookSecret !== undefined && {
      async readCallback(request, task) {
        const video = recordOf(recordOf(await openrouterWebhook(request, webhookSecret, now()))['data'])
        const handle = videoHandle(video['id'])
        if (!handle) throw new Error('The webhook has no id of a video.')
        const own = recordOf(task?.handle)['video'] ?? video['id']
        const over = own === video['id'] ? endOf(video, vendor) : undefined
        // A finished film is downloaded with the key, which a poll does.
        return over ? webhook.news(handle, () => over) : handle
      },
    }),
  }
}
