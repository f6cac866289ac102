import * as v from 'valibot'
import { faultIn, fields, file, oneOf, whole } from '../body-schemas.ts'
import { base64File, type Charge, isOneOf, type VendorReply, vendorServer } from '../vendor-server.ts'

/*
 * xAI's API for images and films.
 * Sources, all read in November 2026: @ai-sdk/xai 5.0.12 src/xai-image-model.ts, xai-video-model.ts and xai-error.ts, and
 * their tests in vercel/ai@ed857f5 (requests, answers, 202 without a body); xai-org/xai-sdk-python@4dab6a4
 * src/xai_sdk/types/video.py, types/image.py and video.py (values, links that are valid for 24 hours);
 * xai-org/xai-proto@9700be4 proto/xai/api/v1/video.proto, usage.proto (durations, progress, ticks);
 * docs.x.ai/developers/debugging, cost-tracking, model-capabilities/images/editing, model-capabilities/video,
 * migration/imagine-image-quality-nov-2 (2026-09-02: five pictures and two more ratios with grok-imagine-image-2.0).
 * The texts of errors are beside the code that sends them. xAI ignores unknown parameters; this fake refuses them, so
 * that a test notices them.
 */

export const token = 'xai-test-5f0c1d2e3b4a6978'

/** How many pictures the image models edit together. */
const mostPictures: Readonly<Record<string, number>> = {
  'grok-imagine-image': 3,
  'grok-imagine-image-2.0': 5,
}
const videoModels = 'grok-imagine-video grok-imagine-video-1.5'

const picture = {
  model: v.string(),
  prompt: v.string(),
  n: whole(1, 10),
  aspect_ratio: oneOf('1:1 3:4 4:3 9:16 16:9 2:3 3:2 9:19.5 19.5:9 9:20 20:9 1:2 2:1 21:9 5:2 auto'),
  resolution: oneOf('1k 2k'),
  ...fields('quality response_format user'),
}
const film = { model: v.string(), prompt: v.string(), ...fields('user storage_options') }
const bodies: Readonly<Record<string, v.GenericSchema>> = {
  '/v1/images/generations': v.strictObject(picture),
  '/v1/images/edits': v.pipe(
    v.strictObject({ ...picture, image: v.optional(file), images: v.optional(v.array(file)) }),
    v.check(({ image, images }) => (image ?? images) !== undefined),
  ),
  '/v1/videos/generations': v.strictObject({
    ...film,
    prompt: v.optional(v.string()),
    duration: whole(1, 15),
    aspect_ratio: oneOf('1:1 16:9 9:16 4:3 3:4 3:2 2:3'),
    resolution: oneOf('480p 720p 1080p'),
    ...fields('image last_frame keyframes reference_images reference_audios generate_audio'),
  }),
  '/v1/videos/edits': v.strictObject({ ...film, video: file }),
  '/v1/videos/extensions': v.strictObject({ ...film, video: file, duration: whole(1, 10) }),
}

interface XaiCharge extends Charge {
  readonly id: string
  /** How many polls of a film find it unfinished. */
  pollsLeft: number
}

export type XaiFake = Awaited<ReturnType<typeof xaiFake>>

/** @param polls how many polls find a film unfinished. @default 2 */
export async function xaiFake({ polls = 2 } = {}) {
  const ledger: XaiCharge[] = []
  const films = new Map<string, XaiCharge>()

  const server = await vendorServer((request) => {
    const { method, url, headers } = request
    if (headers['authorization'] !== `Bearer ${token}`) return wrongKey
    const path = url.pathname
    const [, filmId = ''] = /^\/v1\/videos\/([^/]+)$/.exec(path) ?? []
    if (method === 'GET' && filmId) return filmAt(films.get(filmId))
    const schema = method === 'POST' ? bodies[path] : undefined
    if (!schema) return xaiError(404, 'not-found', `There is no ${method} ${path}.`)
    const body = request.json()
    const refusal = refusalOf(body, schema, path.startsWith('/v1/images/'))
    if (refusal) return refusal
    const id = `aa87081b-1a29-d8a6-e5bf-${String(ledger.length + 1).padStart(12, '0')}`
    const charge = { id, path, body, pollsLeft: polls }
    ledger.push(charge)
    if (path.startsWith('/v1/images/')) return imagesFor(charge)
    films.set(charge.id, charge)
    return { json: { request_id: charge.id } }
  })
  return { ...server, baseUrl: `${server.origin}/v1`, ledger, forget: () => films.clear() }
}

/** An error in xAI's shape: @ai-sdk/xai src/xai-error.ts, and the answers that are quoted in its tests. */
export function xaiError(status: number, code: string, error: string, usage?: object): VendorReply {
  return { status, json: { code, error, ...(usage && { usage }) } }
}

/** docs.x.ai/developers/debugging: 400 for a wrong key. The words: xai-org users, as in openai-php/client and LiteLLM. */
export const wrongKey = xaiError(
  400,
  'Client specified an invalid argument',
  'Incorrect API key provided: xa***78. You can obtain an API key from https://console.x.ai.',
)

/** vercel/ai#13390 (2026-03): the poll of a film that moderation has refused, which is charged. */
export const refusedFilm = xaiError(
  400,
  'Client specified an invalid argument',
  'Generated video rejected by content moderation.',
  { cost_in_usd_ticks: 2_500_000_000 },
)

function refusalOf(body: XaiCharge['body'], schema: v.GenericSchema, isImage: boolean) {
  const invalid = (words: string) => xaiError(400, 'invalid-argument', words)
  const fault = faultIn(schema, body)
  if (fault !== undefined) return invalid(`Argument not supported: ${fault}`)
  const { model, prompt, image, images } = body
  if (!(isImage ? String(model) in mostPictures : isOneOf(videoModels, model)))
    // docs.x.ai/developers/regions
    return xaiError(
      404,
      'not-found',
      `The model ${String(model)} does not exist or your team 0f1e does not have access to it. If you believe this is a mistake, please contact support and quote your team ID and the model name.`,
    )
  if (prompt === undefined && image === undefined) return invalid('prompt is required')
  if (Array.isArray(images) && images.length > (mostPictures[String(model)] ?? 0)) return invalid('images')
  // UKGovernmentBEIS/inspect_ai#2267 (2025-08)
  if (String(prompt).includes('forbidden'))
    return xaiError(
      403,
      'The caller does not have permission to execute the specified operation',
      'Content violates usage guidelines. Team: 0f1e, API key ID: 3d38, Model: grok, Failed check: SAFETY_CHECK_TYPE_BIO',
    )
  return undefined
}

function imagesFor({ body }: XaiCharge): VendorReply {
  const count = Number(body['n'] ?? 1)
  const isUrl = body['response_format'] !== 'b64_json'
  const data = Array.from({ length: count }, (_, index) => ({
    ...(isUrl
      ? { url: `https://imgen.x.ai/xai-imgen/xai-tmp-imgen-${index}.png` }
      : { b64_json: base64File('image', index) }),
    mime_type: 'image/png',
    revised_prompt: '',
    respect_moderation: true,
  }))
  // docs.x.ai/developers/cost-tracking: 200000000 ticks for an image of $0.02.
  return { json: { data, usage: { cost_in_usd_ticks: count * 200_000_000 } } }
}

function filmAt(film: XaiCharge | undefined): VendorReply {
  if (!film) return xaiError(404, 'not-found', 'The requested video was not found.')
  // The first answer to an unfinished film has no body.
  if (film.pollsLeft-- > 0)
    return film.pollsLeft % 2 === 1
      ? { status: 202, body: '' }
      : { status: 202, json: { status: 'pending', progress: 40 } }
  if (String(film.body['prompt']).includes('refused')) return refusedFilm
  return { json: finishedFilm(Number(film.body['duration'] ?? 6), String(film.body['model'])) }
}

/** vercel/ai packages/xai/src/xai-video-model.test.ts, and the output of vercel/ai#13390: $0.05 for each second. */
export function finishedFilm(seconds: number, model = 'grok-imagine-video') {
  return {
    status: 'done',
    video: {
      url: 'https://vidgen.x.ai/xai-vidgen-bucket/xai-video-0c1d2e.mp4',
      duration: seconds,
      respect_moderation: true,
    },
    model,
    usage: { cost_in_usd_ticks: seconds * 500_000_000 },
    progress: 100,
  }
}
