import * as v from 'valibot'
import { faultIn, fields, file, filled, oneOf, whole } from '../body-schemas.ts'
import { base64File, type Charge, isOneOf, type VendorReply, vendorServer } from '../vendor-server.ts'

/*
 * BytePlus ModelArk's API for images and films.
 * Sources, all read in November 2026: docs.byteplus.com/en/docs/ModelArk 1520757 (create a task), 1521309 (retrieve one),
 * 1521675 (list), 1521720 (cancel or delete), 1541523 (images), 1299023 (error codes, as volcengine.com/docs/82379/1299023
 * has them); volcengine/volcengine-python-sdk@b5be43b volcenginesdkarkruntime/resources/content_generation/tasks.py and
 * types/images/images.py (parameters, answers); vercel/ai@ed857f5 packages/bytedance/src/bytedance-video-model.test.ts
 * (tasks, errors) and bytedance-image-model.ts. ModelArk validates parameters of the body strictly, and so does this.
 */

export const token = 'a1b2c3d4-5e6f-4a1b-8c2d-3e4f5a6b7c8d'

const imageModels = 'seedream-4-5-251128 seedream-5-0-260128'
const filmModels =
  'seedance-1-5-pro-251215 seedance-1-0-pro-250528 seedance-1-0-pro-fast-251015 seedance-1-0-lite-i2v-250428 dreamina-seedance-2-0-260128 dreamina-seedance-2-0-mini-260615 dreamina-seedance-2-5-260628'
const imageBody = v.strictObject({
  model: v.string(),
  prompt: v.string(),
  size: v.optional(v.pipe(v.string(), v.check(isSize))),
  ...fields(
    'image response_format watermark output_format sequential_image_generation sequential_image_generation_options optimize_prompt_options',
  ),
})
const part = v.union([
  v.object({ type: v.literal('text'), text: filled }),
  v.object({
    type: v.literal('image_url'),
    role: v.picklist(['first_frame', 'last_frame', 'reference_image']),
    image_url: file,
  }),
  v.object({ type: v.literal('video_url'), role: v.literal('reference_video'), video_url: file }),
  v.object({ type: v.literal('audio_url'), role: v.literal('reference_audio'), audio_url: file }),
])
const filmBody = v.strictObject({
  model: v.string(),
  content: v.pipe(v.array(part), v.nonEmpty()),
  // 1520757: 2 to 12 seconds, Seedance 2.0 to 15, and 2.5 to 30; with -1 the model chooses.
  duration: v.optional(
    v.union([v.literal(-1), v.pipe(v.number(), v.integer(), v.minValue(2), v.maxValue(30))]),
  ),
  seed: whole(-1, 2 ** 32 - 1),
  ratio: oneOf('16:9 4:3 1:1 3:4 9:16 21:9 adaptive'),
  resolution: oneOf('480p 720p 1080p'),
  ...fields(
    'return_last_frame service_tier execution_expires_after generate_audio camera_fixed watermark callback_url',
  ),
})

interface ArkCharge extends Charge {
  readonly id: string
}

interface Film extends ArkCharge {
  /** How many polls find it queued, and how many running, after that. */
  queued: number
  running: number
  status?: 'cancelled'
}

export type ArkFake = Awaited<ReturnType<typeof arkFake>>

/** @param queued how many polls find a film queued. @default 1 */
export async function arkFake({ queued = 1 } = {}) {
  const ledger: ArkCharge[] = []
  const films = new Map<string, Film>()

  const server = await vendorServer((request) => {
    const { method, url, headers } = request
    // docs.byteplus.com/en/docs/ModelArk/1299023
    if (headers['authorization'] !== `Bearer ${token}`)
      return arkError(401, 'AuthenticationError', 'The API key in the request is missing or invalid.')
    const path = url.pathname
    const [, id = ''] = /^\/api\/v3\/contents\/generations\/tasks\/([^/]+)$/.exec(path) ?? []
    if (id) {
      const film = films.get(id)
      if (!film) return arkError(404, 'ResourceNotFound', 'The specified resource is not found.')
      return method === 'DELETE' ? deleted(film) : { json: stateOf(film) }
    }
    const isImage = path === '/api/v3/images/generations'
    if (method !== 'POST' || !(isImage || path === '/api/v3/contents/generations/tasks'))
      return arkError(404, 'NotFound', `There is no ${method} ${path}.`)
    const body = request.json()
    const refusal = refusalOf(body, isImage)
    if (refusal) return refusal
    const charge = { id: `cgt-20261122-${ledger.length + 1}`, path, body }
    ledger.push(charge)
    if (isImage) return imagesFor(body)
    films.set(charge.id, { ...charge, queued, running: 1 })
    return { json: { id: charge.id } }
  })

  const last = () => [...films.values()].at(-1)!

  function deleted(film: Film): VendorReply {
    if (film.status === 'cancelled' || (film.queued <= 0 && film.running > 0))
      // In the words of the nodes of BytePlus for ComfyUI: TaskRunningCannotCancel (409).
      return arkError(409, 'TaskRunningCannotCancel', 'The task is running and cannot be cancelled.')
    if (film.queued > 0) film.status = 'cancelled'
    else films.delete(film.id)
    return { json: {} }
  }

  return {
    ...server,
    baseUrl: `${server.origin}/api/v3`,
    ledger,
    /** Begins the last film at once, even if it should still be queued. */
    begin: () => void Object.assign(last(), { queued: 0 }),
    /**
     * What is posted to the `callback_url` of the last film when its status changes: the body is the answer to a poll.
     * ModelArk waits five seconds for an answer, tries three times, and signs nothing. ark.volcengine.com/docs/ark
     * (create a task, `callback_url`), and TanStack/ai packages/ai-byteplus/src/video/video-provider-options.ts; both
     * read in November 2026.
     */
    webhook: {
      finish: () => void Object.assign(last(), { queued: 0, running: 0 }),
      address: () => last().body['callback_url'] as string | undefined,
      signed: () => ({
        headers: { 'content-type': 'application/json' },
        body: Buffer.from(JSON.stringify(stateOf({ ...last() }))),
      }),
    },
    forget: () => films.clear(),
  }
}

export function arkError(status: number, code: string, message: string): VendorReply {
  return { status, json: { error: { code, message: `${message} Request id: 0217`, param: '', type: 'x' } } }
}

function refusalOf(body: ArkCharge['body'], isImage: boolean): VendorReply | undefined {
  const fault = faultIn(isImage ? imageBody : filmBody, body)
  if (fault !== undefined)
    return arkError(
      400,
      'InvalidParameter',
      `The parameter \`${fault}\` specified in the request is not valid.`,
    )
  if (!isImage && !isDurationOf(String(body['model']), body['duration']))
    return arkError(
      400,
      'InvalidParameter',
      'The parameter `duration` specified in the request is not valid.',
    )
  if (!isOneOf(isImage ? imageModels : filmModels, body['model']))
    return arkError(
      404,
      'InvalidEndpointOrModel.NotFound',
      `The model or endpoint ${String(body['model'])} does not exist or you do not have access to it.`,
    )
  // AI SDK and customers: InputTextSensitiveContentDetected, with status 400.
  if (JSON.stringify(body).includes('forbidden'))
    return arkError(
      400,
      'InputTextSensitiveContentDetected',
      'The request failed because the input text may contain sensitive information.',
    )
  return undefined
}

function isDurationOf(model: string, duration: unknown): boolean {
  if (duration === undefined) return true
  const [least, most] = model.includes('2-5') ? [4, 30] : model.includes('2-0') ? [4, 15] : [2, 12]
  return (duration === -1 && least === 4) || (Number(duration) >= least && Number(duration) <= most)
}

/** A word, or width and height with at least 3,686,400 and at most 16,777,216 pixels (Seedream 4.5). */
function isSize(size: string): boolean {
  if (isOneOf('1K 2K 3K 4K', size)) return true
  const [, width = 0, height = 0] = /^(\d+)x(\d+)$/.exec(size) ?? []
  const pixels = Number(width) * Number(height)
  return pixels >= 3_686_400 && pixels <= 16_777_216
}

function imagesFor(body: ArkCharge['body']): VendorReply {
  const { max_images: count = 1 } = (body['sequential_image_generation_options'] ?? {}) as {
    max_images?: number
  }
  const data = Array.from({ length: count }, (_, index) => ({
    b64_json: base64File('image', index),
    size: '2048x2048',
  }))
  const usage = { generated_images: count, output_tokens: 16_384 * count, total_tokens: 16_384 * count }
  return { json: { model: body['model'], created: 1_790_000_000, data, usage } }
}

const outputs = 'https://ark-content-generation-ap-southeast-1.tos-ap-southeast-1.volces.com'

/** docs.byteplus.com/en/docs/ModelArk/1521309; the numbers as an answer in public documentation has them. */
function stateOf(film: Film): object {
  const { id, body } = film
  const task = { id, model: body['model'], created_at: 1_779_348_818, updated_at: 1_779_348_874 }
  if (film.status) return { ...task, status: film.status }
  if (film.queued > 0) {
    film.queued -= 1
    return { ...task, status: 'queued' }
  }
  if (film.running > 0) {
    film.running -= 1
    return { ...task, status: 'running' }
  }
  const { duration: ordered = 5, ratio = '16:9', resolution = '720p', return_last_frame } = body
  return {
    ...task,
    status: 'succeeded',
    error: null,
    content: {
      video_url: `${outputs}/film.mp4?X-Tos-Expires=86400`,
      ...(return_last_frame === true && { last_frame_url: `${outputs}/last.png` }),
    },
    usage: { completion_tokens: 108_900, total_tokens: 108_900 },
    seed: 78_674,
    resolution,
    ratio,
    duration: ordered === -1 ? 7 : ordered,
    framespersecond: 24,
    service_tier: 'default',
  }
}
