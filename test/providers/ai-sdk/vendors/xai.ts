import { createXai } from '@ai-sdk/xai'
import { vendorFetch } from '@genmount/provider-ai-sdk'
import { fakeFile } from '@genmount/testing'
import { key, type VendorFake } from './vendor-server.ts'

export const xai: VendorFake = {
  // [VAI:packages/xai/src/xai-video-model.test.ts, xai-image-model.test.ts]
  submit: ({ id, asked: { path } }) =>
    path.includes('/videos/')
      ? { json: { request_id: id } }
      : {
          json: {
            data: [{ b64_json: Buffer.from(fakeFile('image').bytes).toString('base64') }],
            usage: { cost_in_usd_ticks: 200_000_000 },
          },
        },
  // Running: 202, at times without a body.
  poll: (_task, isDone) =>
    isDone
      ? { json: xai.film?.('https://vidgen.x.ai/film.mp4') }
      : { status: 202, json: { status: 'pending', progress: 40 } },
  film: (url) => ({
    status: 'done',
    video: { url, duration: 6, respect_moderation: true },
    model: 'grok-imagine-video',
    usage: { cost_in_usd_ticks: 3_000_000_000 },
  }),
  // [VAI:packages/xai/src/xai-error.ts]
  error: (words) => ({ code: 'invalid-argument', error: words }),
}

export const xaiModels = (origin: string) => {
  const sdk = createXai({ apiKey: key, baseURL: `${origin}/v1`, fetch: vendorFetch() })
  return { 'xai-video': sdk.video('grok-imagine-video'), 'xai-image': sdk.image('grok-imagine-image') }
}
