import { replicateProvider } from '@genmount/provider-replicate'
import { type VendorCase, vendorCase, type Words } from '../vendor-case.ts'
import { replicateHosts, startReplicate, token, webhookSecret } from './fake-replicate.ts'

const replicateWords = (fields: object): Words => ({
  step: 'poll',
  json: ({ pathname }) => ({ id: pathname.split('/').at(-1), metrics: {}, ...fields }),
})

/** Predictions at Replicate. */
export const replicateCases: Readonly<Record<string, VendorCase>> = {
  replicate: vendorCase({
    secrets: [token],
    hosts: replicateHosts,
    fake: () => startReplicate(),
    provider({ origin, fetch, typicalMs }) {
      const model = { model: 'acme/painter', outputKind: 'image', price: 0.001, typicalMs } as const
      return replicateProvider({
        token,
        webhookSecret,
        baseUrl: `${origin}/v1`,
        models: { it: model },
        fetch,
      })
    },
    error: (detail) => ({ title: 'Error', detail }),
    ended: (output) => replicateWords({ status: 'succeeded', output }),
    failed: (error) => replicateWords({ status: 'failed', error }),
    strange: replicateWords({ status: 'pondering' }),
    isDurable: true,
    webhooks: 'signed',
  }),
}
