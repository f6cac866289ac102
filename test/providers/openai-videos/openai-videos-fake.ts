import * as v from 'valibot'
import { faultIn, filled, oneOf } from '../body-schemas.ts'
import { openaiError } from '../openai/openai-words.ts'
import {
  type Charge,
  fileReply,
  type VendorReply,
  type VendorRequest,
  vendorServer,
} from '../vendor-server.ts'

/*
 * OpenAI's API for videos, as servers have it that still speak it. Sources, all read in November 2026:
 * openai/openai-openapi openapi.yaml at f85dbe2 (CreateVideoJsonBody, CreateVideoMultipartBody, VideoResource, DELETE,
 * content); vllm-project/vllm-omni vllm_omni/entrypoints/openai/protocol/videos.py at 079d7a5 and
 * docs/serving/videos_api.md at 0131cb5 (multipart only, DELETE aborts, VideoError); sgl-project/sglang video_api.py at
 * 00ae37c (404 for the content of an unfinished film); BerriAI/litellm litellm/proxy/video_endpoints/endpoints.py at
 * 02ac6ac and litellm/types/videos/utils.py (ids in base64).
 */

export const token = 'sk-videos-test-5f0c1d2e3b4a6978'

const shared = {
  model: v.picklist(['sora-2', 'wan-2.2']),
  prompt: filled,
  seconds: v.optional(v.pipe(v.string(), v.regex(/^[1-9]\d*$/))),
  size: oneOf('720x1280 1280x720 1024x1792 1792x1024'),
}
const picture = v.union([
  v.strictObject({ image_url: v.pipe(v.string(), v.regex(/^(?:https?:|data:image\/)/)) }),
  v.strictObject({ file_id: filled }),
])
const jsonBody = v.strictObject({ ...shared, input_reference: v.optional(picture) })
/** vLLM-Omni has further fields, and takes no JSON. */
const formBody = v.strictObject({
  ...shared,
  input_reference: v.optional(
    v.pipe(v.instance(File), v.mimeType(['image/png', 'image/jpeg', 'image/webp'])),
  ),
  negative_prompt: v.optional(v.string()),
  num_inference_steps: v.optional(v.pipe(v.string(), v.regex(/^\d+$/))),
  seed: v.optional(v.pipe(v.string(), v.regex(/^\d+$/))),
})

interface Film extends Charge {
  readonly id: string
  readonly key: string | undefined
  /** How many polls find the film unfinished. */
  pollsLeft: number
  status: 'queued' | 'in_progress' | 'completed' | 'failed' | 'cancelled'
}

interface FakeOptions {
  /** How many polls find a film unfinished. @default 2 */
  readonly polls?: number
  /** Which bodies the server takes. @default 'json' */
  readonly body?: 'json' | 'form'
  /** Whether the server knows the header `Idempotency-Key`. @default false */
  readonly hasKeys?: boolean
}

export async function openaiVideosFake({
  polls = 2,
  body: kind = 'json',
  hasKeys = false,
}: FakeOptions = {}) {
  const ledger: Film[] = []
  const films = new Map<string, Film>()

  const server = await vendorServer(async (request) => {
    const { method, url, headers } = request
    if (headers['authorization'] !== `Bearer ${token}`)
      return openaiError(401, 'Incorrect API key provided.', 'invalid_api_key')
    if (method === 'POST' && url.pathname === '/v1/videos') return create(request)
    const [, id = '', action] = /^\/v1\/videos\/([^/]+)(?:\/(content|cancel))?$/.exec(url.pathname) ?? []
    const film = films.get(decodeURIComponent(id))
    if (!film) return openaiError(404, `Video with id '${id}' not found.`, 'not_found')
    if (method === 'GET' && action === 'content') return contentOf(film)
    if (method === 'POST' && action === 'cancel') return canceled(film)
    if (method === 'DELETE' && action === undefined) {
      films.delete(film.id)
      return { json: { id: film.id, object: 'video.deleted', deleted: true } }
    }
    if (method !== 'GET') return openaiError(405, 'Method not allowed.', null)
    moveOn(film)
    return { json: shown(film) }
  })

  async function create(request: VendorRequest): Promise<VendorReply> {
    const isForm = request.headers['content-type']?.startsWith('multipart/form-data') ?? false
    if (isForm !== (kind === 'form')) return openaiError(400, `Send the request as ${kind}.`, null)
    const key = hasKeys ? request.headers['idempotency-key'] : undefined
    const earlier = key === undefined ? undefined : ledger.find((film) => film.key === key)
    if (earlier) return { json: shown(earlier) }
    const body = isForm ? Object.fromEntries(await request.form()) : request.json()
    const fault = faultIn(isForm ? formBody : jsonBody, body)
    if (fault !== undefined) return openaiError(400, `Invalid value for '${fault}'.`, 'invalid_value')
    if (String(body['prompt']).includes('forbidden'))
      return openaiError(400, 'Your request was blocked by our moderation system.', 'moderation_blocked')
    const id = `video_${Buffer.from(`openai:${ledger.length}`).toString('base64')}`
    const film: Film = { id, key, path: '/v1/videos', body, pollsLeft: polls, status: 'queued' }
    ledger.push(film)
    films.set(id, film)
    return { json: shown(film) }
  }

  return { ...server, baseUrl: `${server.origin}/v1`, ledger, films, forget: () => films.clear() }
}

function moveOn(film: Film): void {
  if (film.status === 'failed' || film.status === 'cancelled') return
  if (film.pollsLeft-- > 0) film.status = 'in_progress'
  else film.status = String(film.body['prompt']).includes('refused') ? 'failed' : 'completed'
}

function canceled(film: Film): VendorReply {
  if (film.status === 'completed' || film.status === 'failed')
    return openaiError(409, 'The video has ended.', null)
  film.status = 'cancelled'
  return { json: shown(film) }
}

function contentOf(film: Film): VendorReply {
  if (film.status !== 'completed') return openaiError(404, 'Generation is still in-progress', null)
  return fileReply('film.mp4')
}

function shown({ id, body, status, pollsLeft }: Film): object {
  return {
    id,
    object: 'video',
    model: body['model'],
    status,
    progress: status === 'completed' ? 100 : Math.max(0, 80 - 20 * pollsLeft),
    created_at: 1_790_000_000,
    completed_at: status === 'completed' ? 1_790_000_042 : null,
    expires_at: status === 'completed' ? 1_790_003_600 : null,
    prompt: body['prompt'],
    size: body['size'] ?? '720x1280',
    seconds: body['seconds'] ?? '4',
    remixed_from_video_id: null,
    error:
      status === 'failed'
        ? { code: 'moderation_blocked', message: 'The video was blocked by our moderation system.' }
        : null,
  }
}
