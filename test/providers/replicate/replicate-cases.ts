import { replicateProvider } from '@genmount/provider-replicate'
import { foxInput as input, type VendorCase, type Words } from '../vendor-case.ts'
import { movedOn } from './fake-prediction.ts'
import { startReplicate } from './fake-replicate.ts'

const replicateWords = (fields: object): Words => ({
  step: 'poll',
  json: ({ pathname }) => ({ id: pathname.split('/').at(-1), metrics: {}, ...fields }),
})

/** Predictions at Replicate. */
export const replicateCases: Readonly<Record<string, VendorCase>> = {
  replicate: {
    model: 'painter',
    input,
    async start(typicalMs) {
      const fake = await startReplicate()
      const last = () => fake.predictions.get(fake.ledger.at(-1) ?? '')!
      return {
        secrets: [fake.token],
        taken: () => fake.ledger.length,
        fetch: fake.fetch,
        connect: (fetch) =>
          replicateProvider({
            token: fake.token,
            baseUrl: fake.baseUrl,
            models: { painter: { model: 'acme/painter', outputKind: 'image', price: 0.001, typicalMs } },
            webhookSecret: fake.webhookSecret,
            fetch,
          }),
        forget: () => fake.predictions.clear(),
        webhook: {
          finish: () => void fake.predictions.set(last().id, movedOn(movedOn(last()))),
          address: () => last().webhook,
          signed: (sentAt) => fake.webhookOf(last().id, { secret: fake.webhookSecret, sentAt }),
        },
        close: fake.close,
      }
    },
    stepOf: (method) => (method === 'POST' ? 'submit' : 'poll'),
    error: (detail) => ({ title: 'Error', detail }),
    ended: (output) => replicateWords({ status: 'succeeded', output }),
    failed: (error) => replicateWords({ status: 'failed', error }),
    strange: replicateWords({ status: 'pondering' }),
    isDurable: true,
    webhooks: 'signed',
  },
}
