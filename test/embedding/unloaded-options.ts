/**
 * Makes services whose optional code can not be loaded, and prints as JSON what their calls do. A rejection that nobody
 * handles ends this process.
 */
import { registerHooks } from 'node:module'

registerHooks({
  load(url, context, nextLoad) {
    if (url.includes('optional-code')) throw new Error('The file is gone.')
    return nextLoad(url, context)
  },
})

const { createGenerationService } = await import('@genmount/core')
const { fakeProvider, fakeWebhooks, quietLog } = await import('@genmount/testing')
const { apiKeys, toFetchHandler } = await import('@genmount/fetch-handler')
type Options = Partial<Parameters<typeof createGenerationService>[0]>

const url = 'upload://up_0000000000000000000000000000000000000000000000000.png'
const log = quietLog()
const outcomes: Record<string, unknown> = {}

async function record(what: string, call: () => Promise<unknown>): Promise<void> {
  outcomes[what] = await call().then(
    (value) => value ?? 'done',
    (error: Error) => error.message,
  )
}

function serviceWith(options: Options) {
  const service = createGenerationService({ providers: [fakeProvider()], log, ...options })
  const create =
    (input: object = {}, webhook = {}) =>
    async () => {
      const request = { owner: 'alice', model: 'fake-image', input: { prompt: 'a fox', ...input }, webhook }
      const { job } = await service.create(request)
      return (await service.waitFor(job.id, 'alice', { budgetMs: 2000 })).phase
    }
  const handler = toFetchHandler(service, { authenticate: apiKeys({ alice: 'alice-key' }) })
  const send = (method: string, path: string, body?: string) => async () => {
    const headers = { authorization: 'Bearer alice-key', 'content-type': 'image/png' }
    const request = new Request(`http://media.test${path}`, { method, headers, body: body ?? null })
    return (await handler(request)).status
  }
  return { service, create, send }
}

const limited = serviceWith({ limits: { runningJobs: 1, requestsPerMinute: 1 } })
await record('a create with a limit', limited.create())
await record('a counted request', limited.send('GET', '/v1/jobs'))

const moderated = serviceWith({ moderate: { input: () => 'allowed' } })
await record('a create with a moderated input', moderated.create())
const withheld = serviceWith({ moderate: { outputs: () => 'allowed' } })
await record('a create with moderated outputs', withheld.create())

const uploading = serviceWith({ uploads: {} })
await record('a create without an upload', uploading.create())
await record('a create with an upload', uploading.create({ image: url }))
await record('an upload', async () => uploading.service.uploads?.store('alice', new Blob(['a']).stream()))
await record('an upload through /v1', uploading.send('POST', '/v1/uploads', 'a'))
await record('another request of the same service', uploading.send('GET', '/v1/jobs'))

const telling = serviceWith({ webhooks: fakeWebhooks() })
await record('a create with a webhook', telling.create({}, { url: 'https://receiver.example/' }))
await record('ready()', () => telling.service.ready())

for (const { service } of [limited, moderated, withheld, uploading, telling])
  await record('close()', () => service.close({ timeoutMs: 5000 }))
console.log(JSON.stringify({ outcomes, errors: log.errors.filter((line) => line.startsWith('The code of')) }))
