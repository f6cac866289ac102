import { memoryBackend } from '@genmount/core'
import { apiKeys, createV1Interface } from '@genmount/v1-interface'
import { settledHeap } from '../waiters/child-process.ts'
import { exampleInput, exampleService, owner } from './example-jobs.ts'

/**
 * Prints how many bytes each create leaves behind that a collection of the young generation does not free, although
 * nothing uses them any more. They fill the old generation until a collection of the whole heap. It is a script, because
 * it needs a heap of its own.
 */

const creates = 5000
const { gc } = globalThis as { gc?: (options: { type: 'minor' }) => void }
if (!gc) throw new Error('Run it with --expose-gc.')

const { service, model } = exampleService(memoryBackend(), false)
const answer = createV1Interface(service, { authenticate: apiKeys({ [owner]: 'key' }) })

/** Sends the body of a create in one piece, as most clients do. */
async function create(index: number): Promise<void> {
  const body = new TextEncoder().encode(JSON.stringify({ model, ...exampleInput(index) }))
  const headers: Readonly<Record<string, string>> = {
    host: 'media.test',
    authorization: 'Bearer key',
    'content-type': 'application/json',
    'content-length': String(body.byteLength),
  }
  const pieces = [{ value: body }, { done: true }]
  const { status } = await answer({
    method: 'POST',
    path: '/v1/generate',
    mountPath: '',
    scheme: 'http',
    header: (name) => headers[name],
    headers: () => headers,
    body: () => ({ read: async () => pieces.shift() ?? { done: true }, cancel() {} }),
  })
  if (status !== 202) throw new Error(`A create was answered with ${status}.`)
}

async function createMany(count: number): Promise<void> {
  for (let index = 0; index < count; index++) {
    await create(index)
    if (index % 100 === 0) await new Promise((resolve) => setImmediate(resolve))
  }
}

// The service itself does not keep the process alive.
const hold = setInterval(() => {}, 1000)
await createMany(1000)
await settledHeap()
await createMany(creates)
// What survives two collections of the young generation is in the old one.
for (let times = 0; times < 3; times++) gc({ type: 'minor' })
const { heapUsed } = process.memoryUsage()
console.log(JSON.stringify((heapUsed - (await settledHeap())) / creates))
await service.close()
clearInterval(hold)
