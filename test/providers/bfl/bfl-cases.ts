import { bflProvider } from '@genmount/provider-bfl'
import { foxInput as input, plainFetch, type VendorCase } from '../vendor-case.ts'
import { bflKey, startBfl, webhookSecret as bflSecret } from './bfl-fake.ts'

/** Pictures of Black Forest Labs. */
export const bflCases: Readonly<Record<string, VendorCase>> = {
  bfl: {
    model: 'flux',
    input,
    async start(typicalMs) {
      const fake = await startBfl()
      fake.server.pendingPolls = 1
      const last = () => fake.ledger.at(-1)!
      return {
        secrets: [bflKey, bflSecret],
        taken: () => fake.ledger.length,
        fetch: plainFetch,
        connect: (fetch) =>
          bflProvider({
            token: bflKey,
            baseUrl: fake.baseUrl,
            models: { flux: { endpoint: 'flux-2-pro', outputKind: 'image', typicalMs } },
            webhookSecret: bflSecret,
            fetch,
          }),
        forget: () => fake.ledger.forEach((task) => Object.assign(task, { id: 'forgotten' })),
        webhook: {
          finish: () => void (last().polls = fake.server.pendingPolls),
          address: () => last().asked.body['webhook_url'] as string | undefined,
          signed: (sentAt) => fake.webhookOf(last().id, { sentAt }),
        },
        close: fake.close,
      }
    },
    stepOf: (method) => (method === 'POST' ? 'submit' : 'poll'),
    error: (detail) => ({ detail }),
    ended: (sample) => ({ step: 'poll', json: () => ({ id: 'b', status: 'Ready', result: { sample } }) }),
    failed: (details) => ({ step: 'poll', json: () => ({ id: 'b', status: 'Error', details }) }),
    strange: { step: 'poll', json: () => ({ id: 'b', status: 'Pondering' }) },
    isDurable: true,
    webhooks: 'signed',
  },
}
