/**
 * Runs one job at each of the given addresses, on the runtime that runs this script. The first submit of a job calls the server
 * at that address, and a later one succeeds without a call. Prints how often each job was submitted, and its outcome.
 */
import process from 'node:process'
import { setTimeout as delay } from 'node:timers/promises'
import { createGenerationService, type Provider } from '@genmount/core'
import { vendorClient } from '@genmount/provider-kit'
import * as v from 'valibot'
import { takeDescriptors } from '../descriptors/take-descriptors.ts'

const places = Object.entries(JSON.parse(process.argv[2] ?? '') as Record<string, string>)
const submits: Record<string, number> = {}
const isToBeExhausted = process.argv[3] === 'exhausted'

function providerAt(name: string, url: string): Provider {
  const vendor = vendorClient({ vendor: 'Acme', baseUrl: url })
  return {
    name,
    models: [{ id: name, outputKind: 'image', input: v.strictObject({}) }],
    // Node gives a connection up after 10 seconds, before this timeout.
    callTimeoutMs: name.includes('not answer') ? 1000 : 15_000,
    async submit(_task, { signal }) {
      submits[name] = (submits[name] ?? 0) + 1
      if (submits[name] > 1) return { state: 'succeeded', outputs: [{ bytes: new Uint8Array([1]) }] }
      const post = () => vendor.ask({ method: 'POST', path: '/tasks', json: { a: 1 }, signal })
      // These servers break the second request on a connection, so this one is sent before it.
      if (name.includes('kept')) {
        await post()
        // Node can use the connection again only a little later.
        await delay(100)
      }
      // Bun ends the process if its very first request finds no descriptor, so one request is made before.
      if (isToBeExhausted) await post().catch(() => {})
      const { release } = isToBeExhausted ? takeDescriptors() : { release() {} }
      await post().finally(release)
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

const outcomes = places.map(async ([name]) => {
  const { job } = await service.create({ owner: 'alice', model: name, input: {} })
  const { phase, error } = await service.waitFor(job.id, 'alice')
  return [name, { submits: submits[name], came: error?.code ?? phase }]
})
console.log(JSON.stringify(Object.fromEntries(await Promise.all(outcomes))))
process.exit()
