/**
 * Runs one job at each of the given addresses, on the runtime that runs this script. The first submit of a job calls the server
 * at that address, and a later one succeeds without a call. Prints how often each job was submitted, and its outcome.
 */
import { closeSync, openSync } from 'node:fs'
import process from 'node:process'
import { setTimeout as delay } from 'node:timers/promises'
import { createGenerationService, type Provider } from '@genmount/core'
import { vendorClient } from '@genmount/vendor-http'
import * as v from 'valibot'

const places = Object.entries(JSON.parse(process.argv[2] ?? '') as Record<string, string>)
const outcomes: Record<string, { submits: number; came: string }> = {}
const isToBeExhausted = process.argv[3] === 'exhausted'
/** All file descriptors that were left. */
const descriptors: number[] = []

function exhaust(): void {
  try {
    for (;;) descriptors.push(openSync('/dev/null', 'r'))
  } catch {}
}

function letGo(): void {
  for (const descriptor of descriptors.splice(0)) closeSync(descriptor)
}

function providerAt(name: string, url: string): Provider {
  const vendor = vendorClient({ vendor: 'Acme', baseUrl: url })
  const post = (signal: AbortSignal) => vendor.ask({ method: 'POST', path: '/tasks', json: { a: 1 }, signal })
  return {
    name,
    models: [{ id: name, outputKind: 'image', input: v.strictObject({}) }],
    // Node gives a connection up after 10 seconds, before this timeout.
    callTimeoutMs: name.includes('not answer') ? 1000 : 15_000,
    async submit(_task, { signal }) {
      const outcome = outcomes[name]!
      if (++outcome.submits > 1) return { state: 'succeeded', outputs: [{ bytes: new Uint8Array([1]) }] }
      // These servers break the second request on a connection, so this one is sent before it.
      if (name.includes('kept')) {
        await post(signal)
        // Node can use the connection again only a little later.
        await delay(100)
      }
      if (isToBeExhausted) {
        // Bun ends the process if its very first request finds no descriptor, so one request is made before.
        await post(signal).catch(() => {})
        exhaust()
      }
      try {
        await post(signal)
      } finally {
        letGo()
      }
      throw new Error('There was an answer, which should not be.')
    },
    poll: () => Promise.reject(new Error('There is nothing to ask for.')),
  }
}

// The timers of a service hold no process open.
setInterval(() => {}, 1000)

const service = createGenerationService({
  providers: places.map(([name, url]) => providerAt(name, url)),
  log: { warn: (line) => console.error(line), error: (line) => console.error(line) },
})

async function run(name: string): Promise<void> {
  const outcome = (outcomes[name] = { submits: 0, came: '' })
  const { job } = await service.create({ owner: 'alice', model: name, input: {} })
  const { phase, error } = await service.waitFor(job.id, 'alice')
  outcome.came = error?.code ?? phase
}

await Promise.all(places.map(([name]) => run(name)))
await service.close()
console.log(JSON.stringify(outcomes))
process.exit()
