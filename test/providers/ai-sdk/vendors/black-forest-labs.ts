import { createBlackForestLabs } from '@ai-sdk/black-forest-labs'
import { vendorFetch } from '@genmount/provider-ai-sdk'
import { key, type VendorFake } from './vendor-server.ts'

/**
 * [VAI:packages/black-forest-labs/src/black-forest-labs-image-model.test.ts, ...-video-model.test.ts] The answer to a
 * submit with a webhook is AsyncWebhookResponse of BFL's OpenAPI document, as tryAGI/BlackForestLabs@dfc296a has it. The cost is that of a picture of one megapixel by
 * flux-2-pro: docs.bfl.ai/quick_start/pricing, read on 2026-11-23.
 */
export const blackForestLabs: VendorFake = {
  submit({ id, asked: { origin, body } }) {
    const { webhook_url } = body
    const counted = { id, cost: 3, input_mp: null, output_mp: 1 }
    return webhook_url === undefined
      ? { json: { ...counted, polling_url: `${origin}/v1/get_result?id=${id}` } }
      : { json: { ...counted, status: 'Pending', webhook_url } }
  },
  poll({ id, asked: { origin, path } }, isDone) {
    if (!isDone) return { json: { id, status: 'Pending', result: null } }
    const sample = path.includes('flux-3')
      ? 'https://delivery-eu1.bfl.ai/film.mp4?se=2026&sig=abc'
      : `${origin}/files/1.png`
    return { json: blackForestLabs.film?.(sample) }
  },
  film: (sample) => ({ id: 'b', status: 'Ready', result: { sample, seed: 7, duration: 3.2 } }),
  error: (words) => ({ detail: words }),
  unknown: { json: { id: 'unknown', status: 'Task not found', result: null } },
}

export const blackForestLabsModels = (origin: string) => {
  const sdk = createBlackForestLabs({
    apiKey: key,
    baseURL: `${origin}/v1`,
    pollIntervalMillis: 20,
    fetch: vendorFetch(),
  })
  return { 'bfl-video': sdk.video('flux-3-video'), 'bfl-image': sdk.image('flux-pro-1.1') }
}
