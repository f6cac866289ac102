import { bflProvider } from '@genmount/provider-bfl'
import { polled, type VendorCase, vendorCase } from '../vendor-case.ts'
import { bflKey as token, startBfl, webhookSecret } from './bfl-fake.ts'

/** Pictures of Black Forest Labs. */
export const bflCases: Readonly<Record<string, VendorCase>> = {
  bfl: vendorCase({
    secrets: [token, webhookSecret],
    fake: () => startBfl({ polls: 1 }),
    provider({ origin, fetch, typicalMs }) {
      const models = { it: { endpoint: 'flux-2-pro', outputKind: 'image', typicalMs } } as const
      return bflProvider({ token, webhookSecret, baseUrl: `${origin}/v1`, models, fetch })
    },
    error: (detail) => ({ detail }),
    ended: (sample) => polled({ status: 'Ready', result: { sample } }),
    failed: (details) => polled({ status: 'Error', details }),
    strange: polled({ status: 'Pondering' }),
    isDurable: true,
    webhooks: 'signed',
  }),
}
