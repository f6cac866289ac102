/**
 * A service whose process runs out of file descriptors while twenty jobs come in, and has them again after a while. Prints
 * what had become of the jobs by then, what became of them in the end, and what the log said.
 */
import process from 'node:process'
import { setTimeout as delay } from 'node:timers/promises'
import { createGenerationService, type Job, type Provider } from '@genmount/core'
import { vendorClient } from '@genmount/provider-kit'
import * as v from 'valibot'
import { takeDescriptors } from './take-descriptors.ts'

const shortForMs = 7000
const vendor = vendorClient({ vendor: 'Acme', baseUrl: process.argv[2] ?? '' })
const logged: string[] = []

const acme: Provider = {
  name: 'acme',
  models: [{ id: 'acme-image', outputKind: 'image', input: v.strictObject({}) }],
  async submit({ clientToken }, { signal }) {
    const { json } = await vendor.ask({ method: 'POST', path: '/tasks', json: { clientToken }, signal })
    return { state: 'running', handle: (json as { id: string }).id }
  },
  async poll({ handle }, { signal }) {
    await vendor.ask({ method: 'GET', path: `/tasks/${String(handle)}`, signal })
    return { state: 'succeeded', outputs: [{ bytes: new Uint8Array([1]) }], costUsd: 0.01 }
  },
}

// The timers of a service hold no process open.
const hold = setInterval(() => {}, 1000)
const note = (line: string) => void logged.push(line)
const service = createGenerationService({ providers: [acme], log: { warn: note, error: note } })
const create = async () => (await service.create({ owner: 'alice', model: 'acme-image', input: {} })).job.id
const wordOf = ({ phase, error }: Job) => error?.code ?? phase

// The first job makes Bun load all code, which needs descriptors.
await service.waitFor(await create(), 'alice')

const { release, cause } = takeDescriptors()
note(String((cause as { code?: unknown }).code))
const ids = await Promise.all(Array.from({ length: 20 }, create))
await delay(shortForMs)
const meanwhile = await Promise.all(ids.map(async (id) => wordOf(await service.get(id, 'alice'))))
release()
const ended = await Promise.all(ids.map(async (id) => wordOf(await service.waitFor(id, 'alice'))))

await service.close()
clearInterval(hold)
console.log(JSON.stringify({ meanwhile, ended, logged }))
