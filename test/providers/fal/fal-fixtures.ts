import type { VendorReply } from '../vendor-server.ts'

/** Answers of fal in the shapes that are documented, each with its source. */
export type FalReply = VendorReply & { readonly status: number }

const filesHost = 'https://v3.fal.media'

/**
 * vercel/ai:packages/fal/src/fal-image-model.ts and fal's webhook page, whose example has a seed above 2^53;
 * `x-fal-billable-units`: fal.ai/docs common-parameters, as fal-ai/fal:projects/fal/tests/e2e/test_apps.py sees it.
 */
export const images = (count = 1, result: Readonly<Record<string, unknown>> = {}): FalReply => ({
  status: 200,
  headers: { 'x-fal-billable-units': String(count) },
  json: {
    images: Array.from({ length: count }, (_, index) => ({
      url: `${filesHost}/files/rabbit/picture-${index}.png`,
      width: 1024,
      height: 768,
      content_type: 'image/png',
      file_name: null,
      file_size: 68,
    })),
    timings: { inference: 0.5 },
    seed: 2 ** 57,
    has_nsfw_concepts: Array.from({ length: count }, () => false),
    prompt: 'a fox',
    ...result,
  },
})

/** vercel/ai:packages/fal/src/fal-video-model.ts */
export const video = (): FalReply => ({
  status: 200,
  headers: { 'x-fal-billable-units': '5.0' },
  json: {
    video: {
      url: `${filesHost}/files/rabbit/film.mp4`,
      content_type: 'video/mp4',
      file_name: 'film.mp4',
      file_size: 68,
      width: 1280,
      height: 720,
      duration: 5,
      fps: 24,
    },
    seed: 7,
  },
})

/** https://fal.ai/docs/documentation/model-apis/errors; the text of the content checker: openstory-so/openstory#1373 */
export const modelError = (
  type: string,
  { status = 422, msg = `It is ${type}.`, retryable = 'false', headers = {} } = {},
): FalReply => ({
  status,
  headers: { 'x-fal-retryable': retryable, ...headers },
  json: {
    detail: [
      { loc: ['body', 'prompt'], msg, type, url: `https://docs.fal.ai/errors/#${type}`, input: 'a fox' },
    ],
  },
})

export const contentRefusal = modelError('content_policy_violation', {
  msg: 'The content could not be processed because it contained material flagged by a content checker.',
})

/** https://fal.ai/docs/documentation/model-apis/request-errors */
export const requestError = (status: number, type: string, detail = `It is ${type}.`): FalReply => ({
  status,
  headers: { 'x-fal-error-type': type },
  json: { detail, error_type: type },
})

/** fal-ai-community/skills:skills/fal-gamedev/SKILL.md, matched by vercel/ai:packages/fal/src/fal-video-model.ts */
export const stillInProgress: FalReply = { status: 400, json: { detail: 'Request is still in progress' } }

/** https://fal.ai/docs/inference-api/queue/cancel */
export const notFound: FalReply = { status: 404, json: { status: 'NOT_FOUND' } }
