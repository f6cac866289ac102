import { setTimeout } from 'node:timers/promises'
import { createGenerationService, type Provider } from '@genmount/core'
import { apiKeys, toFetchHandler } from '@genmount/fetch-handler'
import * as v from 'valibot'

/** Creates jobs in a service with a memory backend, thirty at a time, and prints what became of them. */
const [prompts = '', creates = ''] = process.argv.slice(2)
const atOnce = 30
const isShort = prompts === 'short'
const prompt = isShort ? 'a fox' : (prompts === 'wide' ? '狐' : 'f').repeat(1_000_000)
const body = Buffer.from(JSON.stringify({ model: 'image', prompt }))
const owners = Array.from({ length: 20 }, (_, n) => `owner-${n}`)

let submits = 0
const provider: Provider = {
  name: 'vendor',
  models: [{ id: 'image', outputKind: 'image', input: v.object({ prompt: v.string() }) }],
  async submit({ jobId }) {
    submits++
    if (!isShort) return { state: 'running', handle: jobId }
    return { state: 'succeeded', outputs: [{ url: `https://cdn.example/${jobId}.png` }], costUsd: 0.04 }
  },
  poll: async ({ jobId }) => ({ state: 'running', handle: jobId }),
}
const log = { info() {}, warn() {}, error() {} }
const service = createGenerationService({ providers: [provider], log })
const keys = Object.fromEntries(owners.map((owner) => [owner, owner]))
const handle = toFetchHandler(service, { authenticate: apiKeys(keys) })

const answers: Record<string, number> = {}

async function create(n: number): Promise<void> {
  const reply = await handle(
    new Request('http://localhost/v1/generate', {
      method: 'POST',
      headers: {
        authorization: `Bearer ${owners[n % owners.length]}`,
        'content-type': 'application/json',
        'idempotency-key': `key-${n}`,
      },
      body,
    }),
  )
  const { error } = (await reply.json()) as { error: { code: string } | null }
  const answer = reply.ok ? '202' : `${reply.status} ${error?.code}`
  answers[answer] = (answers[answer] ?? 0) + 1
}

for (let n = 0; n < Number(creates); n += atOnce)
  await Promise.all(Array.from({ length: atOnce }, (_, one) => create(n + one)))
// The last submits have begun by then.
await setTimeout(100)
console.log(JSON.stringify({ answers, submits }))
process.exit()
