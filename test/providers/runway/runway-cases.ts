import { runwayProvider } from '@genmount/provider-runway'
import { polled, type VendorCase, vendorCase } from '../vendor-case.ts'
import { runwayKey as token, startRunway } from './runway-fake.ts'

/** Films of Runway. */
export const runwayCases: Readonly<Record<string, VendorCase>> = {
  runway: vendorCase({
    secrets: [token],
    fake: startRunway,
    provider({ origin, fetch, typicalMs }) {
      const models = { it: { model: 'gen4.5', outputKind: 'video', typicalMs } } as const
      return runwayProvider({ token, baseUrl: `${origin}/v1`, models, fetch })
    },
    error: (error) => ({ error, docUrl: 'https://docs.dev.runwayml.com/api' }),
    ended: (url) =>
      polled({ status: 'SUCCEEDED', output: url === undefined ? [] : [url], cost: { credits: 25 } }),
    failed: (failure) => polled({ status: 'FAILED', failure, failureCode: 'INTERNAL', cost: { credits: 0 } }),
    strange: polled({ status: 'PONDERING' }),
    isDurable: true,
  }),
}
