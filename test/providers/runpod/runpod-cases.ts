import { runpodProvider } from '@genmount/provider-runpod'
import { polled, type ProviderOptions, type VendorCase, vendorCase } from '../vendor-case.ts'
import { runpodKey as token, startRunpod } from './runpod-fake.ts'
import { runpodModels } from './runpod-models.ts'

const shared = {
  secrets: [token],
  fake: (typicalMs = 1000) => startRunpod({ polls: typicalMs / 1000 }),
  error: (error: string) => ({ error }),
  failed: (error: string) => polled({ status: 'FAILED', error }),
  strange: polled({ status: 'RUNNING' }),
  isDurable: true,
  webhooks: 'hints',
} as const

const only =
  (model: keyof typeof runpodModels) =>
  ({ origin, fetch, typicalMs = 1000 }: ProviderOptions) =>
    runpodProvider({
      token,
      baseUrl: `${origin}/v2`,
      models: { it: { ...runpodModels[model], typicalMs } },
      fetch,
    })

/** A public endpoint of Runpod with a film, and an endpoint with worker-comfyui that answers in base64. */
export const runpodCases: Readonly<Record<string, VendorCase>> = {
  'runpod film': vendorCase({
    ...shared,
    provider: only('film'),
    ended: (video_url) => polled({ status: 'COMPLETED', output: { video_url } }),
  }),
  'runpod workflow': vendorCase({
    ...shared,
    provider: only('workflow'),
    ended: (data) =>
      polled({
        status: 'COMPLETED',
        output: { images: data === undefined ? [] : [{ filename: 'a.png', type: 's3_url', data }] },
      }),
  }),
}
