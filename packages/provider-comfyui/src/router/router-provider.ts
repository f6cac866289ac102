import { type Json, type JsonObject, type Provider, type RunningTask, toBase64 } from '@genmount/core'
import {
  failed,
  isTaskId,
  numberIn,
  pictureRefusal,
  recordOf,
  type VendorAnswer,
  vendorClient,
  withPictures,
} from '@genmount/provider-kit'
import { liveSchemas } from './live-schemas.ts'
import { nestedBody } from './nested-body.ts'
import { checkRouterOptions, type ComfyRouterOptions } from './router-options.ts'
import { resultReport, submitRefusal } from './router-report.ts'

/** What is stored of a request: both parts address it. */
interface Handle {
  readonly model: string
  readonly request_id: string
}

/** In bytes. A result has the pictures in it at some partners, and an answer may repeat the input. */
const maxResultBytes = 256 * 1024 * 1024
/** A poll may read a result with pictures in it. */
const callTimeoutMs = 180_000

/**
 * Runs models of many vendors with one key, through the queue of the Comfy Router. Each submit has the job's own token as its
 * `Idempotency-Key`, with which the Router answers a repeated submit from its record for 24 hours, without a second run and
 * a second charge. So no submit is ambiguous. Any process can continue a job.
 *
 * While a service runs, the provider reads the schemas of its models at the start and each hour, and offers the models with
 * the fields and limits of their schemas.
 * @throws TypeError that names the option, when an option is wrong
 * @see https://docs.comfy.org/development/comfy-router/queue
 * @example
 * comfyRouterProvider({
 *   token: process.env.COMFY_API_KEY!,
 *   models: { 'kling-turbo': { model: 'kling/kling-3.0-turbo', outputKind: 'video' } },
 * })
 */
export function comfyRouterProvider(options: ComfyRouterOptions): Provider {
  const { token, baseUrl, fetch, headers, models: chosen, fetchFile } = checkRouterOptions(options)
  const { ask } = vendorClient({
    vendor: 'The Comfy Router',
    baseUrl,
    fetch,
    headers: { ...headers, 'x-api-key': token },
  })
  const offered = liveSchemas(chosen, ask)

  return {
    name: 'comfy-router',
    models: offered.models,
    followModels: offered.followModels,
    async ready() {
      if (offered.models.length === 0) await offered.read()
    },
    callTimeoutMs,
    dedupesSubmits: true,

    async submit(task, { signal }) {
      const { vendorModel, vendorInput, fixed, habit } = offered.of(task)
      const send = async (input: JsonObject) => {
        const flat = vendorInput(input)
        if (!flat) return failed('provider_rejected', 'The input cannot be translated for this model.')
        const answer = await ask({
          method: 'POST',
          // Without it, the Router accepts fields that the model does not have, and the job is paid for without them.
          path: `/v2/models/${vendorModel}/requests?reject_unknown_fields=true`,
          headers: { 'idempotency-key': task.clientToken },
          json: nestedBody({ ...flat, ...fixed }),
          signal,
        })
        if (!answer.ok) return submitRefusal(answer, vendorModel)
        const { request_id: request } = recordOf(answer.json)
        if (!isTaskId(request)) throw new Error('The Comfy Router answered a submit without a request id.')
        return running({ model: vendorModel, request_id: request })
      }
      if (habit !== 'inline') return send(habit === 'bare' ? withBare(task.input) : task.input)
      const reading = {
        types: ['png', 'jpeg', 'webp'],
        fetchFile,
        signal,
        line: 'comfy-router',
        copies: 4,
      } as const
      return withInlined(task.input, { ...reading, owner: task.owner }, send).catch(pictureRefusal)
    },

    async poll(task, { signal }) {
      const handle = handleOf(task.handle)
      if (!handle) return unknownRequest
      const path = pathOf(handle)
      const answer = await ask({ method: 'GET', path: `${path}/status`, signal })
      if (!answer.ok) return answer.pollFailure()
      const { status, queue_position: place, error_type: type } = recordOf(answer.json)
      if (typeof status !== 'string') throw new Error('The Comfy Router answered a poll without a status.')
      // A request that has failed is COMPLETED as well. An unknown status counts as running.
      if (status !== 'COMPLETED')
        return {
          ...running(handle),
          queuePosition: status === 'IN_QUEUE' ? numberIn(place) : undefined,
          pollAfterMs: pauseAfter(answer),
        }
      const result = await ask({ method: 'GET', path, signal, maxBytes: maxResultBytes })
      // The two reads may come from different replicas.
      if (result.status === 202) return running(handle)
      const { outputKind, costOf } = offered.ofTask(task)
      return resultReport({
        answer: result,
        errorType: typeof type === 'string' && type !== '' ? type : undefined,
        outputKind,
        costOf: (outputs) => costOf?.(task.input, outputs),
      })
    },

    async cancel(task: RunningTask, { signal }) {
      const handle = handleOf(task.handle)
      if (!handle) return
      const { ok, status } = await ask({ method: 'PUT', path: `${pathOf(handle)}/cancel`, signal })
      // 404, 409 and 410 mean that the request has already ended. The next poll shows how.
      if (!ok && ![404, 409, 410].includes(status))
        throw new Error(`The Comfy Router answered a cancellation with status ${status}.`)
    },
  }
}

const unknownRequest = {
  state: 'unknown',
  message: 'The handle of this job does not name a request of the Comfy Router.',
} as const

function running(handle: Handle) {
  return { state: 'running', handle: { id: handle.request_id, ...handle } } as const
}

function handleOf(value: Json): Handle | undefined {
  const { model, request_id } = recordOf(value)
  const isModel =
    typeof model === 'string' && /^[a-z\d._-]+\/[a-z\d._-]+$/.test(model) && !model.includes('..')
  return isModel && isTaskId(request_id) ? { model, request_id } : undefined
}

function pathOf({ model, request_id }: Handle): string {
  return `/v2/models/${model}/requests/${request_id}`
}

/** The Router's advice when to poll again. Polls count as requests, and more of them are refused. */
function pauseAfter({ retryAfterMs }: VendorAnswer): number | undefined {
  return retryAfterMs === undefined ? undefined : Math.min(60_000, retryAfterMs)
}

/** The fields whose pictures some partners want in another form. */
const pictureFields = ['image', 'last_frame', 'reference_images', 'mask']

/** The input with base64 in place of data URIs. Links stay as they are. */
function withBare(input: JsonObject): JsonObject {
  const bare = (value: Json): Json =>
    typeof value === 'string' ? value.replace(/^data:[^,]*;base64,/i, '') : (value as Json[]).map(bare)
  return Object.fromEntries(
    Object.entries(input).map(([name, value]) => [name, pictureFields.includes(name) ? bare(value) : value]),
  )
}

/** Sends the input with its links to pictures replaced by the pictures. */
function withInlined<Report>(
  input: JsonObject,
  reading: Parameters<typeof withPictures>[1],
  send: (input: JsonObject) => Promise<Report>,
): Promise<Report> {
  const names = pictureFields.filter((name) => input[name] !== undefined)
  const sources = names.flatMap((name) => [input[name] ?? []].flat() as readonly string[])
  return withPictures(sources, reading, (pictures) => {
    const rest = pictures.map(({ mediaType, bytes }) => `data:${mediaType};base64,${toBase64(bytes)}`)
    const inlined = names.map((name) => {
      const value = input[name]
      return [name, Array.isArray(value) ? rest.splice(0, value.length) : rest.shift()!] as const
    })
    return send({ ...input, ...Object.fromEntries(inlined) })
  })
}
