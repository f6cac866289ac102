import { replicateProvider } from '@genmount/provider-replicate'
import { polled, type VendorCase, vendorCase } from '../vendor-case.ts'
import { replicateHosts, startReplicate, token, webhookSecret } from './fake-replicate.ts'

/** Predictions at Replicate. */
export const replicateCases: Readonly<Record<string, VendorCase>> = {
  replicate: vendorCase({
    secrets: [token],
    hosts: replicateHosts,
    fake: () => startReplicate(),
    provider({ origin, fetch, typicalMs }) {
      const it = { model: 'acme/painter', outputKind: 'image', price: 0.001, typicalMs } as const
      return replicateProvider({ token, webhookSecret, baseUrl: `${origin}/v1`, models: { it }, fetch })
    },
    error: (detail) => ({ title: 'Error', detail }),
    ended: (output) => polled({ status: 'succeeded', output, metrics: {} }),
    failed: (error) => polled({ status: 'failed', error, metrics: {} }),
    strange: polled({ status: 'pondering', metrics: {} }),
    isDurable: true,
    webhooks: 'signed',
  }),
}
