/**
 * Serves /v1 and sends itself requests, each an argument such as `GET /v1/models`. Prints their statuses and which of our
 * files were loaded, as JSON.
 */
import { registerHooks } from 'node:module'
import process from 'node:process'
import { listen } from '../loopback.ts'

const requests = process.argv.slice(2)
const loaded: string[] = []
registerHooks({
  load(url, context, nextLoad) {
    const [, file] = /\/packages\/([^?]+)\.ts/.exec(url) ?? []
    if (file !== undefined) loaded.push(file)
    return nextLoad(url, context)
  },
})

const { createGenerationService } = await import('@genmount/core')
const { apiKeys, toNodeHandler } = await import('@genmount/node-http')
const never = () => Promise.reject(new Error('Nothing is submitted here.'))
const input = { '~standard': { version: 1, vendor: 'test', validate: () => ({ value: {} }) } } as const
const models = [{ id: 'one', outputKind: 'image', input }] as const
const service = createGenerationService({
  providers: [{ name: 'test', models, submit: never, poll: never }],
  log: { warn() {}, error() {} },
})
const handler = toNodeHandler(service, { authenticate: apiKeys({ alice: 'alice-key' }) })
const { origin, stop } = await listen(handler)
const statuses: number[] = []
for (const request of requests) {
  const [method = '', path = ''] = request.split(' ')
  const headers = { authorization: 'Bearer alice-key' }
  const reply = await fetch(origin + path, { method, headers })
  await reply.arrayBuffer()
  statuses.push(reply.status)
}
console.log(JSON.stringify({ statuses, loaded }))
await stop()
await service.close()
