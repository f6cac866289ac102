import { runwayProvider } from '@genmount/provider-runway'
import { foxInput as input, plainFetch, type VendorCase } from '../vendor-case.ts'
import { runwayKey, startRunway } from './runway-fake.ts'

/** Films of Runway. */
export const runwayCases: Readonly<Record<string, VendorCase>> = {
  runway: {
    model: 'film',
    input,
    async start(typicalMs) {
      const runway = await startRunway()
      return {
        secrets: [runwayKey],
        taken: () => runway.ledger.length,
        fetch: plainFetch,
        connect: (fetch) =>
          runwayProvider({
            token: runwayKey,
            baseUrl: runway.baseUrl,
            models: { film: { model: 'gen4.5', outputKind: 'video', typicalMs } },
            fetch,
          }),
        forget: runway.forget,
        close: runway.close,
      }
    },
    stepOf(method) {
      if (method === 'POST') return 'submit'
      return method === 'GET' ? 'poll' : 'other'
    },
    error: (error) => ({ error, docUrl: 'https://docs.dev.runwayml.com/api' }),
    ended: (url) => ({
      step: 'poll',
      json: () => ({
        id: 't',
        status: 'SUCCEEDED',
        output: url === undefined ? [] : [url],
        cost: { credits: 25 },
      }),
    }),
    failed: (failure) => ({
      step: 'poll',
      json: () => ({ id: 't', status: 'FAILED', failure, failureCode: 'INTERNAL', cost: { credits: 0 } }),
    }),
    strange: { step: 'poll', json: () => ({ id: 't', status: 'PONDERING' }) },
    isDurable: true,
  },
}
