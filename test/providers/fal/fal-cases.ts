import { falProvider } from '@genmount/provider-fal'
import { foxInput as input, type VendorCase } from '../vendor-case.ts'
import { falKey, startFal } from './fal-fake.ts'

/** Requests of fal's queue. */
export const falCases: Readonly<Record<string, VendorCase>> = {
  fal: {
    model: 'flux',
    input,
    async start(typicalMs) {
      const fake = await startFal()
      const last = () => fake.ledger.at(-1)!
      return {
        secrets: [falKey, falKey.split(':')[1]!],
        taken: () => fake.ledger.length,
        fetch: fake.fetch,
        connect: (fetch) =>
          falProvider({
            token: falKey,
            models: {
              flux: { endpoint: 'fal-ai/flux/schnell', outputKind: 'image', price: 0.003, typicalMs },
            },
            fetch,
          }),
        forget: () => fake.ledger.forEach(({ requestId }) => fake.forget(requestId)),
        webhook: {
          finish: () => void (last().pollsLeft = 0),
          address: () => last().webhook,
          signed: (sentAt) => fake.webhookOf(last(), sentAt),
        },
        close: fake.close,
      }
    },
    stepOf(method, { hostname, pathname }) {
      if (method === 'POST') return 'submit'
      if (method !== 'GET' || hostname !== 'queue.fal.run') return 'other'
      return pathname.endsWith('/status') ? 'poll' : 'result'
    },
    error: (detail) => ({ detail }),
    ended: (url) => ({ step: 'result', json: () => (url === undefined ? {} : { images: [{ url }] }) }),
    failed: (error) => ({
      step: 'poll',
      json: () => ({ status: 'COMPLETED', error, error_type: 'runner_error' }),
    }),
    strange: { step: 'poll', json: () => ({ status: 'PONDERING' }) },
    isDurable: true,
    webhooks: 'signed',
  },
}
