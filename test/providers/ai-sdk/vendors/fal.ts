import { createFal } from '@ai-sdk/fal'
import { vendorFetch } from '@genmount/provider-ai-sdk'
import { key, type VendorFake } from './vendor-server.ts'

const queue = 'https://queue.fal.run'

export const fal: VendorFake = {
  submit({ id, asked: { origin, path } }) {
    // The synchronous fal.run. [VAI:packages/fal/src/fal-image-model.test.ts]
    if (path.includes('flux'))
      return {
        json: {
          images: [{ url: `${origin}/files/1.png`, width: 1024, height: 768, content_type: 'image/png' }],
          timings: { inference: 1.2 },
          seed: 42,
          has_nsfw_concepts: [false],
        },
      }
    // [fal-js:types/common.ts; docs: inference-api/queue/submit] The app without its sub-path.
    const response_url = `${queue}/fal-ai/veo3/requests/${id}`
    return {
      json: {
        request_id: id,
        response_url,
        status_url: `${response_url}/status`,
        cancel_url: `${response_url}/cancel`,
        status: 'IN_QUEUE',
        queue_position: 0,
      },
    }
  },
  poll: (_task, isDone) =>
    isDone
      ? {
          json: fal.film?.('https://v3.fal.media/files/a/film.mp4'),
          headers: { 'x-fal-billable-units': '8' },
        }
      : // [VAI:packages/fal/src/fal-video-model.ts; fal-ai-community/skills:skills/fal-gamedev/SKILL.md]
        { status: 400, json: { detail: 'Request is still in progress' } },
  film: (url) => ({ video: url == null ? null : { url, content_type: 'video/mp4', file_size: 9 } }),
  // [docs: model-apis/errors]
  error: (words) => ({ detail: [{ loc: ['body', 'prompt'], msg: words, type: 'value_error' }] }),
  unknown: { status: 404, json: { status: 'NOT_FOUND' } },
}

export const falModels = (origin: string) => {
  // The video model goes to queue.fal.run, whatever its baseURL.
  const sdk = createFal({
    apiKey: key,
    baseURL: origin,
    fetch: vendorFetch((input, init) => fetch(String(input).replace(queue, origin), init)),
  })
  return { 'fal-video': sdk.video('fal-ai/veo3'), 'fal-image': sdk.image('fal-ai/flux/schnell') }
}
