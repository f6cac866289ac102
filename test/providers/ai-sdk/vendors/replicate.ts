import { createReplicate } from '@ai-sdk/replicate'
import { vendorFetch } from '@genmount/provider-ai-sdk'
import { key, type Task, type VendorFake } from './vendor-server.ts'

/** [replicate-javascript:index.d.ts Prediction; VAI:packages/replicate/src/replicate-video-model.test.ts] */
function prediction({ id, asked: { origin, path, body } }: Task, isDone: boolean) {
  const output = path.includes('film')
    ? 'https://replicate.delivery/xezq/film.mp4'
    : [`${origin}/files/1.png`]
  return {
    id,
    model: 'acme/film',
    version: 'hidden',
    input: body['input'],
    output: isDone ? output : null,
    error: null,
    logs: '',
    status: isDone ? 'succeeded' : 'processing',
    metrics: isDone ? { predict_time: 4.5, total_time: 5 } : {},
    created_at: '2026-01-01T00:00:00.000Z',
    urls: { get: `${origin}/v1/predictions/${id}`, cancel: `${origin}/v1/predictions/${id}/cancel` },
  }
}

export const replicate: VendorFake = {
  submit: (task) => ({ status: 201, json: prediction(task, false) }),
  poll: (task, isDone) => ({ json: prediction(task, isDone) }),
  film: (url) => ({
    id: 'p',
    status: 'succeeded',
    output: url,
    error: null,
    urls: { get: 'https://x.test' },
  }),
  // [VAI:packages/replicate/src/replicate-error.ts]
  error: (words) => ({ detail: words }),
}

export const replicateModels = (origin: string) => {
  const sdk = createReplicate({ apiToken: key, baseURL: `${origin}/v1`, fetch: vendorFetch() })
  return { 'replicate-video': sdk.video('acme/film'), 'replicate-image': sdk.image('acme/picture') }
}
