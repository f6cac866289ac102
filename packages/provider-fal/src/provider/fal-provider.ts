import type { JsonObject, Provider, ProviderReport, ProviderTask, RunningTask } from '@genmount/core'
import { messageOf, pollFailure, submitFailure, vendorClient } from '@genmount/vendor-http'
import { queueHandle, queuePaths } from '../queue/queue-handle.ts'
import { recordOf } from '../queue/record-of.ts'
import { modelFailure, requestFailure } from '../queue/request-failure.ts'
import { resultReport } from '../queue/result-report.ts'
import { falWebhook } from '../webhook/fal-webhook.ts'
import { signingKeys } from '../webhook/signing-keys.ts'
import { inputSchema, usualFields } from './fal-input.ts'
import { checkOptions, type FalModel, type FalProviderOptions } from './fal-options.ts'

const queueUrl = 'https://queue.fal.run'
const keysUrl = 'https://rest.fal.ai/.well-known/jwks.json'
const keysTimeoutMs = 2_000

const lost: ProviderReport = {
  state: 'failed',
  code: 'provider_lost',
  message: 'It is not known which request at fal this job is.',
}

/**
 * Models of fal.ai, through its queue. Jobs are resumed by their handle in any process, can be cancelled, and are called
 * back where the service has an address for that.
 * @throws TypeError when an option is wrong
 * @example
 * falProvider({
 *   token: process.env.FAL_KEY!,
 *   models: { 'flux-schnell': { endpoint: 'fal-ai/flux/schnell', outputKind: 'image', price: 0.003 } },
 * })
 */
export function falProvider(options: FalProviderOptions): Provider {
  checkOptions(options)
  const { token, models, baseUrl = queueUrl, fetch, jwksUrl = keysUrl, now = Date.now } = options
  const queue = vendorClient({
    vendor: 'fal',
    baseUrl,
    fetch,
    headers: { ...Object.fromEntries(new Headers(options.headers)), authorization: `Key ${token}` },
    secrets: [token, ...secretHalf(token)],
  })
  const { origin } = new URL(baseUrl)
  const keyServer = vendorClient({ vendor: 'fal', baseUrl: new URL(jwksUrl).origin, fetch })
  const keys = signingKeys(async () => {
    const signal = AbortSignal.timeout(keysTimeoutMs)
    const { status, json } = await keyServer.ask({ method: 'GET', path: jwksUrl, signal })
    if (status !== 200) throw new Error(`fal answered with status ${status} when asked for its keys.`)
    return json
  }, now)

  const modelOf = (task: ProviderTask) => models[task.model]!

  const pathsOf = (task: RunningTask) => {
    const handle = queueHandle(task.handle, origin)
    return handle && { handle, ...queuePaths(handle, modelOf(task).endpoint) }
  }

  return {
    name: 'fal',
    models: Object.entries(models).map(([id, { outputKind, retentionDays, typicalMs }]) => ({
      id,
      outputKind,
      input: inputSchema(outputKind),
      retentionDays,
      typicalMs,
    })),

    async submit(task, { signal, callbackUrl }) {
      const model = modelOf(task)
      const json = argumentsOf(model, task.input)
      if (json === undefined) return unmapped
      const hook = callbackUrl === undefined ? '' : `?fal_webhook=${encodeURIComponent(callbackUrl)}`
      const answer = await queue.ask({ method: 'POST', path: `${model.endpoint}${hook}`, json, signal })
      if (!answer.ok) {
        const words = withoutAddress(messageOf(answer.json), callbackUrl)
        return answer.status === 422 ? modelFailure(answer, words) : submitFailure(answer, words)
      }
      const handle = queueHandle(answer.json, origin)
      if (!handle) throw new Error('fal answered to a submit without a request id.')
      return { state: 'running', handle }
    },

    async poll(task, { signal }) {
      const paths = pathsOf(task)
      if (!paths) return lost
      const answer = await queue.ask({ method: 'GET', path: paths.status, signal })
      if (!answer.ok) return pollFailure(answer)
      const status = recordOf(answer.json)
      if (typeof status['status'] !== 'string') throw new Error('fal answered to a poll without a status.')
      // There is no status for failure: that is COMPLETED too, and words yet to come are none of an end.
      if (status['status'] !== 'COMPLETED') return { state: 'running', handle: paths.handle }
      const failure = requestFailure(status)
      if (failure) return failure
      const result = await queue.ask({ method: 'GET', path: paths.result, signal })
      return /still in progress/i.test(messageOf(result.json) ?? '') && !result.ok
        ? { state: 'running', handle: paths.handle }
        : resultReport(result, { model: modelOf(task), input: task.input, status })
    },

    async cancel(task, { signal }) {
      const paths = pathsOf(task)
      if (!paths) return
      const { ok, status } = await queue.ask({ method: 'PUT', path: paths.cancel, signal })
      // 400 and 404: it is over already.
      if (!ok && status !== 400 && status !== 404)
        throw new Error(`fal answered with status ${status} to a cancellation.`)
    },

    async readCallback(request) {
      const trust = { keys, now: now(), userId: options.webhookUserId }
      const handle = queueHandle(await falWebhook(request, trust), origin)
      if (!handle) throw new Error('The webhook names no request.')
      return handle
    },
  }
}

const unmapped: ProviderReport = {
  state: 'failed',
  code: 'provider_rejected',
  message: 'The input cannot be translated for this model.',
}

/** Does as much harm alone, but as a few letters it would be found in any text. */
function secretHalf(token: string): string[] {
  return token
    .split(':')
    .slice(1)
    .filter((half) => half.length >= 16)
}

/** A webhook's address is a secret, and fal may quote what it does not like. */
function withoutAddress(words: string | undefined, callbackUrl: string | undefined): string | undefined {
  if (callbackUrl === undefined) return words
  return words
    ?.replaceAll(callbackUrl, '[callback]')
    .replaceAll(encodeURIComponent(callbackUrl), '[callback]')
}

/** @returns `undefined` when the app's own function fails: to throw would mean that fal may have taken the task on */
function argumentsOf({ outputKind, mapInput }: FalModel, input: JsonObject): JsonObject | undefined {
  const usual = usualFields(input, outputKind)
  if (!mapInput) return usual
  try {
    const mapped: unknown = mapInput(input, usual)
    return typeof mapped === 'object' && mapped !== null ? (mapped as JsonObject) : undefined
  } catch {
    return undefined
  }
}
