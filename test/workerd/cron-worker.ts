import { waitUntil } from 'cloudflare:workers'
import { createGenerationService, type Provider } from '@genmount/core'
import { advance } from '@genmount/core/advance'
import { advanceHandler, apiKeys, toFetchHandler } from '@genmount/fetch-handler'
import * as v from 'valibot'

const png = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1, 2, 3, 4])
const models = (id: string) => [
  { id, outputKind: 'image' as const, input: v.strictObject({ prompt: v.string() }) },
]

/** Has finished a task when it is polled for the second time, which is after a second at the earliest. */
const provider = (name: string): Provider => {
  const polls = new Map<string, number>()
  return {
    name,
    models: models(`${name}-image`),
    submit: async ({ jobId }) => ({ state: 'running', handle: jobId, pollAfterMs: 500 }),
    async poll({ jobId }) {
      const count = (polls.get(jobId) ?? 0) + 1
      polls.set(jobId, count)
      if (count < 2) return { state: 'running', handle: jobId, pollAfterMs: 500 }
      return { state: 'succeeded', outputs: [{ bytes: png }], costUsd: 0.01 }
    },
  }
}

const access = { authenticate: apiKeys({ alice: 'key-of-alice' }) }
const cronService = createGenerationService({ providers: [provider('cron')], plugins: [advance()] })
const promptService = createGenerationService({
  providers: [provider('prompt')],
  plugins: [advance({ waitUntil })],
})
const handlers = [toFetchHandler(cronService, access), toFetchHandler(promptService, access)] as const
const cron = advanceHandler(cronService, { secret: 'secret-of-the-cron-1' })
const state = async (id: string) => {
  for (const service of [cronService, promptService]) {
    const { jobs } = await service.list({ owner: 'alice' })
    const job = jobs.find((one) => one.id === id)
    if (job) return job.phase
  }
  return 'unknown'
}

export default {
  async fetch(request: Request): Promise<Response> {
    const { pathname, hostname } = new URL(request.url)
    if (pathname === '/cron') return cron(request)
    // A read by the interface would poll the provider.
    if (pathname.startsWith('/phase/')) return new Response(await state(pathname.slice('/phase/'.length)))
    return handlers[hostname.startsWith('prompt') ? 1 : 0](request)
  },
  scheduled: () => cronService.advance(),
}
