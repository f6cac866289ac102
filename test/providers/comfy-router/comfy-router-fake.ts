import { randomUUID } from 'node:crypto'
import { comfyRouterModels } from '@genmount/provider-comfyui/router-models'
import { Ajv, type ValidateFunction } from 'ajv'
import {
  type Charge,
  base64File,
  fileReply,
  type VendorReply,
  type VendorRequest,
  vendorServer,
} from '../vendor-server.ts'

/*
 * The Comfy Router on loopback. Sources, all of Comfy-Org/docs and read on 2026-11-27: zh/development/comfy-router/queue.mdx at
 * 0fd44a2 (routes, states, answers, errors, the record of keys), zh/.../reference.mdx at 15c27c1 (error types, headers,
 * `reject_unknown_fields`), discover-models.mdx at 7d9e551 (the list), schemas.mdx at d940c62 (documents, ETag, 422), headers.mdx at
 * 04e8e67, billing.mdx at 1b0adcb, litellm.mdx at d049325 (the headers with the cost), and router-schemas (the examples of outputs).
 * It takes what the published schema of a model takes, and refuses what the schema does not name at any level.
 */

export const token = 'comfyui-test-5f0c1d2e3b4a69785f0c1d2e'

/** An OpenAPI document of a model, as the Router serves it. */
export interface Document {
  readonly model: string
  readonly schema: object
  readonly outputs: readonly string[]
  readonly components?: object
  readonly isAuthored?: boolean
}

interface Task extends Charge {
  readonly id: string
  readonly model: string
  pollsLeft: number
  /** Absent for a request that has no end yet, or has succeeded. */
  errorType?: string
}

interface FakeOptions {
  /** How many polls find a request unfinished. @default 2 */
  readonly polls?: number
  /** Further models, or other documents of models. */
  readonly documents?: readonly Document[]
}

const catalogue: readonly Document[] = Object.values(comfyRouterModels).map(
  ({ model, schema, outputKind }) => ({ model, schema, outputs: [outputKind] }),
)

export type ComfyRouterFake = Awaited<ReturnType<typeof comfyRouterFake>>

export async function comfyRouterFake({ polls = 2, documents = [] }: FakeOptions = {}) {
  const ledger: Task[] = []
  const tasks = new Map<string, Task>()
  /** What was submitted with each key, and what it has become. */
  const keys = new Map<string, { readonly request: string; readonly task: Task }>()
  const models = new Map([...catalogue, ...documents].map((document) => [document.model, document]))
  const validators = new Map<string, ValidateFunction>()

  const server = await vendorServer((request) => {
    const { method, url, headers } = request
    if (headers['x-api-key'] !== token) return error(401, 'unauthorized', 'Invalid API key.')
    const origin = `http://${headers['host']}`
    if (method === 'GET' && url.pathname === '/v2/models') return listed(url)
    const [, model = '', rest = ''] = /^\/v2\/models\/([^/]+\/[^/]+)(?:\/(.*))?$/.exec(url.pathname) ?? []
    const document = models.get(model)
    if (!document) return error(404, 'model_not_found', `No model is named ${model}.`)
    if (method === 'GET' && rest === 'openapi.json') return published(document, headers['if-none-match'])
    if (method === 'POST' && rest === 'requests') return submit(document, request, origin)
    const [, id = '', action] = /^requests\/([^/]+)(?:\/(status|cancel))?$/.exec(rest) ?? []
    const task = tasks.get(id)
    if (!task || task.model !== model) return error(404, 'request_not_found', 'There is no such request.')
    if (method === 'PUT' && action === 'cancel') return canceled(task)
    if (method !== 'GET') return error(405, 'invalid_input', 'Method not allowed.')
    return action === 'status' ? statusOf(task, origin) : resultOf(task, origin)
  })

  function listed({ searchParams }: URL): VendorReply {
    const limit = Math.min(100, Number(searchParams.get('limit') ?? 20))
    const ids = [...models.keys()]
    const from = Number(searchParams.get('cursor')?.replace('page-', '') ?? 0)
    const data = ids.slice(from, from + limit).map((id) => {
      const [provider, model] = id.split('/')
      return { id, provider, model, billing: { charges_on_policy_rejection: 'unknown' } }
    })
    const next = from + limit
    const hasMore = next < ids.length
    return { json: { data, has_more: hasMore, limit, ...(hasMore && { next_cursor: `page-${next}` }) } }
  }

  function published(document: Document, etag: string | undefined): VendorReply {
    const { model, schema, outputs, components = {}, isAuthored = true } = document
    const json = {
      openapi: '3.0.2',
      info: { title: model, version: '6b84e55eac4e' },
      paths: {
        [`/v2/models/${model}`]: {
          post: {
            operationId: 'runRouterModel',
            requestBody: { required: true, content: { 'application/json': { schema } } },
            responses: { '200': { description: 'OK', content: { 'application/json': { schema: {} } } } },
          },
        },
      },
      components: { schemas: components },
      'x-comfy-router-model-id': model,
      'x-comfy-input-schema-authored': isAuthored,
      'x-comfy-output-schema-authored': true,
      'x-comfy-router-output-modalities': outputs,
    }
    const own = `"${JSON.stringify(json).length}-${model}"`
    return own === etag ? { status: 304, headers: { etag: own }, body: '' } : { headers: { etag: own }, json }
  }

  function validatorOf({ model, schema, components = {} }: Document): ValidateFunction {
    const validator =
      validators.get(model) ??
      new Ajv({ strict: false, allErrors: true }).compile(
        strict({ ...schema, components: { schemas: components } }) as object,
      )
    validators.set(model, validator)
    return validator
  }

  function submit(document: Document, request: VendorRequest, origin: string): VendorReply {
    const { model, isAuthored = true } = document
    const { headers, url } = request
    const key = headers['idempotency-key'] ?? ''
    if (key === '' || key.length > 255)
      return error(400, 'invalid_input', 'An Idempotency-Key has 1 to 255 characters.')
    const content = `${url.pathname}${url.search} ${request.body.toString()}`
    const earlier = keys.get(key)
    if (earlier && earlier.request !== content)
      return error(409, 'invalid_input', 'This Idempotency-Key was used for a different request.')
    if (earlier)
      return {
        status: 201,
        headers: { 'idempotent-replayed': 'true', 'x-comfy-request-id': earlier.task.id },
        json: shown(earlier.task, origin, { status: 'IN_QUEUE', queue_position: 0 }),
      }
    const body = request.json()
    if (url.searchParams.get('reject_unknown_fields') !== 'true')
      return error(400, 'invalid_input', 'This fake wants reject_unknown_fields=true.')
    const validator = validatorOf(document)
    if (isAuthored && !validator(body)) {
      const detail = (validator.errors ?? []).map(({ instancePath, message = '', keyword, params }) => ({
        loc: ['body', ...instancePath.split('/').slice(1), params['additionalProperty'] ?? []].flat(),
        msg: message,
        type: keyword,
      }))
      return { status: 422, headers: { 'x-comfy-error-type': 'invalid_input' }, json: { detail } }
    }
    const task: Task = { id: randomUUID(), model, path: url.pathname, body, pollsLeft: polls }
    ledger.push(task)
    tasks.set(task.id, task)
    keys.set(key, { request: content, task })
    return {
      status: 201,
      headers: { 'x-comfy-request-id': task.id },
      json: shown(task, origin, { status: 'IN_QUEUE', queue_position: 3 }),
    }
  }

  return {
    ...server,
    ledger,
    models,
    /** As when all results are older than 24 hours. */
    forget: () => tasks.clear(),
    last: () => ledger.at(-1)!,
  }
}

export function error(status: number, type: string, detail: string): VendorReply {
  return {
    status,
    headers: { 'x-comfy-error-type': type, 'x-comfy-request-id': randomUUID() },
    json: { detail, error_type: type },
  }
}

function shown({ id, model }: Task, origin: string, state: object): object {
  const url = `${origin}/v2/models/${model}/requests/${id}`
  return {
    request_id: id,
    ...state,
    status_url: `${url}/status`,
    response_url: url,
    cancel_url: `${url}/cancel`,
  }
}

function statusOf(task: Task, origin: string): VendorReply {
  const left = task.pollsLeft--
  if (left > 0)
    return {
      headers: { 'retry-after': '1' },
      json: shown(
        task,
        origin,
        left > 1
          ? { status: 'IN_QUEUE', queue_position: left - 1 }
          : { status: 'IN_PROGRESS', queue_position: 0 },
      ),
    }
  if (JSON.stringify(task.body).includes('refused')) task.errorType ??= 'content_policy_violation'
  const { errorType } = task
  return { json: shown(task, origin, { status: 'COMPLETED', ...(errorType && { error_type: errorType }) }) }
}

function resultOf(task: Task, origin: string): VendorReply {
  if (task.pollsLeft > 0) return { ...statusOf(task, origin), status: 202 }
  const { errorType } = task
  if (errorType === 'content_policy_violation')
    return error(400, errorType, 'The provider refused the request on content-policy grounds.')
  if (errorType)
    return error(errorType === 'cancelled' ? 409 : 504, errorType, `The request ended with ${errorType}.`)
  return { headers: { 'x-comfy-credits-used': '12.66' }, json: outputOf(task) }
}

function canceled(task: Task): VendorReply {
  if (task.pollsLeft <= 0) return { status: 409, json: { status: 'ALREADY_COMPLETED' } }
  task.pollsLeft = 0
  task.errorType = 'cancelled'
  return { status: 202, json: { status: 'CANCELLATION_REQUESTED' } }
}

/** The document of the partner, in the shape of the `example` in the model's published output. */
function outputOf({ model, id }: Task): object {
  const film = `https://storage.googleapis.com/comfy-test/${id}.mp4`
  const image = `https://storage.googleapis.com/comfy-test/${id}.png`
  const documents: Readonly<Record<string, object>> = {
    bfl: {
      id,
      status: 'Ready',
      progress: null,
      cost: null,
      result: { sample: image, prompt: 'a fox', seed: 7 },
    },
    byteplus: model.includes('seedream')
      ? { created: 1767225600, data: [{ size: '1024x1024', url: image }], usage: { generated_images: 1 } }
      : { id, status: 'succeeded', error: null, duration: 5, content: { video_url: film } },
    ideogram: {
      data: [{ is_image_safe: true, prompt: 'a fox', url: image }],
      generation_id: 'gen_0123456789',
    },
    kling: model.includes('turbo')
      ? {
          code: 0,
          message: 'SUCCEED',
          data: [{ id, status: 'succeeded', outputs: [{ type: 'video', url: film }] }],
        }
      : {
          code: 0,
          data: { task_id: id, task_status: 'succeed', task_result: { videos: [{ id, url: film }] } },
        },
    ltx: { id, status: 'completed', result: { video_url: film } },
    minimax: { task: { id, status: 'succeeded', content: { url: film } } },
    openai: { created: 1767225600, data: [{ b64_json: base64File('image') }], usage: { total_tokens: 1068 } },
    veo: {
      done: true,
      response: { raiMediaFilteredCount: 0, videos: [{ gcsUri: film, mimeType: 'video/mp4' }] },
    },
    vertexai: {
      candidates: [
        {
          content: {
            role: 'model',
            parts: [{ inlineData: { mimeType: 'image/png', data: base64File('image') } }],
          },
          finishReason: 'STOP',
        },
      ],
    },
    wan: { request_id: id, output: { task_id: id, task_status: 'SUCCEEDED', video_url: film } },
    xai: { status: 'done', model, video: { duration: 4, respect_moderation: true, url: film } },
  }
  return documents[model.split('/')[0]!] ?? { url: image }
}

/** The file of a link of `outputOf`. */
export const storedFile = (url: string): VendorReply => fileReply(new URL(url).pathname)

/** The schema, which also refuses what an object with properties does not name. */
function strict(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(strict)
  if (typeof schema !== 'object' || schema === null) return schema
  const part = Object.fromEntries(
    Object.entries(schema).map(([name, value]) => [
      name,
      name === 'enum' || name === 'required' || name === 'example' ? value : strict(value),
    ]),
  )
  return 'properties' in part && !('additionalProperties' in part)
    ? { ...part, additionalProperties: false }
    : part
}
