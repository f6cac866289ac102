import { createLuma } from '@ai-sdk/luma'
import { vendorFetch } from '@genmount/provider-ai-sdk'
import { key, type VendorFake } from './vendor-server.ts'

/** [lumalabs/lumaai-api:openapi.yaml Generation; VAI:packages/luma/src/luma-image-model.test.ts] */
export const luma: VendorFake = {
  submit: ({ id }) => ({ status: 201, json: { id, state: 'queued', assets: null } }),
  poll: ({ id, asked: { origin } }, isDone) => ({
    json: isDone
      ? { id, state: 'completed', failure_reason: null, assets: { image: `${origin}/files/1.png` } }
      : { id, state: 'dreaming', failure_reason: null, assets: null },
  }),
  // [VAI:packages/luma/src/luma-image-model.ts lumaErrorSchema]
  error: (words) => ({
    detail: [{ type: 'value_error', loc: ['body', 'prompt'], msg: words, input: 'x' }],
  }),
}

export const lumaModels = (origin: string) => ({
  'luma-image': createLuma({ apiKey: key, baseURL: origin, fetch: vendorFetch() }).image('photon-1'),
})
