import { runwayProvider } from '@genmount/provider-runway'
import { type VendorCase, vendorCase, type Words } from '../vendor-case.ts'
import { runwayKey as token, startRunway } from './runway-fake.ts'

const taskWords = (status: string, rest: object = {}): Words => ({
  step: 'poll',
  json: () => ({ id: 't', status, ...rest }),
})

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
    ended: (url) => taskWords('SUCCEEDED', { output: url === undefined ? [] : [url], cost: { credits: 25 } }),
    failed: (failure) => taskWords('FAILED', { failure, failureCode: 'INTERNAL', cost: { credits: 0 } }),
    strange: taskWords('PONDERING'),
    isDurable: true,
  }),
}
