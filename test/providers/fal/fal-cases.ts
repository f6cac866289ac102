import { falProvider } from '@genmount/provider-fal'
import { polled, type VendorCase, vendorCase } from '../vendor-case.ts'
import { falHosts, falKey, startFal } from './fal-fake.ts'

/** Requests of fal's queue. */
export const falCases: Readonly<Record<string, VendorCase>> = {
  fal: vendorCase({
    secrets: [falKey, falKey.split(':')[1]!],
    hosts: falHosts,
    fake: () => startFal(),
    provider({ fetch, typicalMs }) {
      const model = { endpoint: 'fal-ai/flux/schnell', outputKind: 'image', price: 0.003, typicalMs } as const
      return falProvider({ token: falKey, models: { it: model }, fetch })
    },
    stepOf(method, { hostname, pathname }) {
      if (method === 'POST') return 'submit'
      if (method !== 'GET' || hostname !== 'queue.fal.run') return 'other'
      return pathname.endsWith('/status') ? 'poll' : 'result'
    },
    error: (detail) => ({ detail }),
    ended: (url) => ({ step: 'result', json: () => (url === undefined ? {} : { images: [{ url }] }) }),
    failed: (error) => polled({ status: 'COMPLETED', error, error_type: 'runner_error' }),
    strange: polled({ status: 'PONDERING' }),
    isDurable: true,
    webhooks: 'signed',
  }),
}
