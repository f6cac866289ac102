import { createHmac } from 'node:crypto'
import type { CallbackRequest } from '@genmount/core'
import * as v from 'valibot'
import { faultIn, oneOf, whole } from '../body-schemas.ts'
import { type Charge, fileReply, type VendorReply, vendorServer } from '../vendor-server.ts'

/*
 * OpenRouter's API for films. Sources, all read in November 2026: OpenRouterTeam/typescript-sdk .speakeasy/in.openapi.yaml
 * at cb9393a (VideoGenerationRequest, VideoGenerationResponse, FrameImage, InputReference, the errors) and @openrouter/sdk
 * 1.3.19 (360p); OpenRouterTeam/docs guides/overview/multimodal/video-generation.mdx at c26125a (webhooks and their
 * signature, links to `content`); https://openrouter.ai/docs/api_reference/videos (signed `urls` beside them). OpenRouter
 * ignores unknown parameters; this fake refuses them, so that a test notices them.
 */

export const token = 'sk-or-v1-test-5f0c1d2e3b4a6978'
export const webhookSecret = 'whs-openrouter-test-0123456789'

const link = v.object({ url: v.pipe(v.string(), v.regex(/^(?:https?:|data:)/)) })
const part = <const Type extends string>(type: Type) =>
  v.strictObject({ type: v.literal(type), [type]: link } as const)
const frame = v.strictObject({
  type: v.literal('image_url'),
  image_url: link,
  frame_type: v.picklist(['first_frame', 'last_frame']),
})
const requestBody = v.strictObject({
  model: v.string(),
  prompt: v.optional(v.string()),
  aspect_ratio: oneOf('16:9 9:16 1:1 4:3 3:4 3:2 2:3 21:9 9:21'),
  callback_url: v.optional(v.pipe(v.string(), v.regex(/^https:/))),
  duration: whole(1, 600),
  frame_images: v.optional(v.array(frame)),
  generate_audio: v.optional(v.boolean()),
  input_references: v.optional(v.array(v.union([part('image_url'), part('video_url'), part('audio_url')]))),
  provider: v.optional(v.strictObject({ options: v.record(v.string(), v.record(v.string(), v.unknown())) })),
  resolution: oneOf('360p 480p 720p 768p 1080p 1K 2K 4K'),
  seed: whole(0, Number.MAX_SAFE_INTEGER),
  size: v.optional(v.string()),
})

/** A model of the list: `VideoModel` of the OpenAPI file, with the prices that the list had in October 2026. */
export function listedModel(id: string, more: object = {}): Readonly<Record<string, unknown>> {
  return {
    id,
    canonical_slug: id,
    name: id,
    created: 1_790_000_000,
    supported_resolutions: null,
    supported_aspect_ratios: null,
    supported_sizes: null,
    supported_durations: null,
    supported_frame_images: null,
    upscale_factor: null,
    creativity: null,
    generate_audio: null,
    seed: null,
    allowed_passthrough_parameters: [],
    pricing_skus: null,
    ...more,
  }
}

export const wan = listedModel('alibaba/wan-3.0', {
  supported_resolutions: ['480p', '720p', '1080p'],
  supported_aspect_ratios: ['16:9', '9:16', '1:1'],
  supported_durations: [5, 10],
  supported_frame_images: ['first_frame'],
  generate_audio: false,
  seed: true,
  pricing_skus: {
    text_to_video_duration_seconds_480p: '0.04',
    text_to_video_duration_seconds_720p: '0.08',
    text_to_video_duration_seconds_1080p: '0.12',
  },
})

interface Film extends Charge {
  readonly id: string
  pollsLeft: number
  status: 'pending' | 'in_progress' | 'completed' | 'failed' | 'cancelled' | 'expired'
}

export type OpenrouterFake = Awaited<ReturnType<typeof openrouterFake>>

/** @param polls how many polls find a film unfinished. @default 2 */
export async function openrouterFake({ polls = 2 } = {}) {
  const ledger: Film[] = []
  const films = new Map<string, Film>()
  const models = ['google/gemini-omni-1.2-flash', 'google/veo-3.1'].map((id) => listedModel(id)).concat(wan)

  const server = await vendorServer((request) => {
    const { method, url, headers } = request
    if (method === 'GET' && url.pathname === '/api/v1/videos/models') return { json: { data: models } }
    if (headers['authorization'] !== `Bearer ${token}`)
      return openrouterError(401, 'Missing Authentication header')
    const origin = `http://${headers['host']}`
    if (method === 'POST' && url.pathname === '/api/v1/videos') return create(request.json(), origin)
    const [, id = '', action] = /^\/api\/v1\/videos\/([^/]+)(\/content)?$/.exec(url.pathname) ?? []
    const film = films.get(id)
    if (!film || method !== 'GET') return openrouterError(404, 'Resource not found')
    if (action) return film.status === 'completed' ? fileReply('film.mp4') : openrouterError(404, 'Not found')
    if (film.status === 'pending' || film.status === 'in_progress') advance(film)
    return { json: shown(film, origin) }
  })

  function create(body: Film['body'], origin: string): VendorReply {
    const fault = faultIn(requestBody, body)
    if (fault !== undefined) return openrouterError(400, `Invalid request parameters: ${fault}`)
    if (!models.some((model) => model['id'] === body['model']))
      return openrouterError(404, `Model ${String(body['model'])} does not exist`)
    const id = `Nxff2D1Z6w4Zk9iNuZ${String(ledger.length).padStart(2, '0')}`
    const film: Film = { id, path: '/api/v1/videos', body, pollsLeft: polls, status: 'pending' }
    ledger.push(film)
    films.set(id, film)
    return { status: 202, json: shown(film, origin) }
  }

  const last = () => {
    const film = ledger.at(-1)
    if (!film) throw new Error('Nothing was submitted.')
    return film
  }
  const webhook = {
    finish: () => finish(last()),
    address: () => last().body['callback_url'] as string | undefined,
    signed: (sentAt: number) => webhookOf(last(), sentAt, server.origin),
  }

  return {
    ...server,
    baseUrl: `${server.origin}/api/v1`,
    ledger,
    /** OpenRouter's list. A test may change it. */
    models,
    webhook,
    forget: () => films.clear(),
  }
}

export function openrouterError(code: number, message: string): VendorReply {
  return { status: code, json: { error: { code, message } } }
}

/** One poll further. */
function advance(film: Film): void {
  if (film.pollsLeft-- > 0) film.status = 'in_progress'
  else finish(film)
}

function finish(film: Film): void {
  film.status = String(film.body['prompt']).includes('refused') ? 'failed' : 'completed'
}

function shown({ id, status }: Film, origin: string): object {
  const isOver = status === 'completed' || status === 'failed'
  return {
    id,
    polling_url: `/api/v1/videos/${id}`,
    status,
    ...(isOver && { generation_id: `gen-${id}` }),
    ...(status === 'completed' && {
      unsigned_urls: [`${origin}/api/v1/videos/${id}/content?index=0`],
      usage: { cost: 0.5, is_byok: false },
    }),
    ...(status === 'failed' && { error: 'Content policy violation' }),
  }
}

function webhookOf(film: Film, sentAt: number, origin: string): CallbackRequest {
  const { id, status, polling_url: _, ...rest } = shown(film, origin) as Record<string, unknown>
  const body = JSON.stringify({
    type: `video.generation.${String(status)}`,
    created_at: new Date(sentAt).toISOString(),
    data: { id, status, model: film.body['model'], ...rest },
  })
  const t = Math.floor(sentAt / 1000)
  const v1 = createHmac('sha256', webhookSecret).update(`${t},${body}`).digest('hex')
  return {
    headers: {
      'content-type': 'application/json',
      'x-openrouter-signature': `t=${t},v1=${v1}`,
      'x-openrouter-idempotency-key': `${String(id)}-${String(status)}`,
    },
    body: new TextEncoder().encode(body),
  }
}
