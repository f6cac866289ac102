import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { memoryBackend } from '@genmount/core'
import { apiKeys, createV1Interface } from '@genmount/v1-interface'
import { cpuMs, settledHeap } from '../answer-parent.ts'
import { full } from '../bench.ts'
import { type BenchModel, benchService, createJobs } from '../bench-service.ts'
import { exampleInput, owner } from '../workload.ts'

/** Prints what the argument asks for, as JSON, of as many jobs as the next one says. It is a script, because it needs a heap of its own. */

const jobs = Number(process.argv[3])
const idleMs = full(12_000)
const { gc } = globalThis as { gc?: (options: { type: 'minor' }) => void }
if (!gc) throw new Error('Run it with --expose-gc.')

/** How many bytes of heap a job takes in the memory backend. */
async function weigh(model: BenchModel): Promise<number> {
  const service = benchService({ backend: memoryBackend() })
  await createJobs(service, model, 100)
  const before = await settledHeap()
  await createJobs(service, model, jobs)
  const weight = ((await settledHeap()) - before) / jobs
  await service.close()
  return weight
}

/**
 * How many bytes each create leaves behind that a collection of the young generation does not free, although
 * nothing uses them any more. They fill the old generation until a collection of the whole heap.
 */
async function weighGarbage(): Promise<number> {
  const service = benchService({ backend: memoryBackend() })
  const answer = createV1Interface(service, { authenticate: apiKeys({ [owner]: 'key' }) })
  // The body comes in one piece, as from most clients.
  const create = async (index: number) => {
    const text = JSON.stringify({ model: 'bench-long', ...exampleInput(index) })
    const body = new TextEncoder().encode(text)
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
    if (index % 100 === 0) await new Promise((resolve) => setImmediate(resolve))
  }
  for (let index = 0; index < 1000; index++) await create(index)
  await settledHeap()
  for (let index = 0; index < jobs; index++) await create(index)
  // What survives two collections of the young generation is in the old one.
  for (let times = 0; times < 3; times++) gc!({ type: 'minor' })
  const { heapUsed } = process.memoryUsage()
  return (heapUsed - (await settledHeap())) / jobs
}

/** The CPU time of a process whose jobs all wait for their vendors, in milliseconds a minute. */
async function weighIdle(): Promise<number> {
  const service = benchService({ backend: memoryBackend() })
  await createJobs(service, 'bench-long', jobs)
  await settledHeap()
  const before = cpuMs()
  await sleep(idleMs)
  const weight = ((cpuMs() - before) * 60_000) / idleMs
  await service.close()
  return weight
}

const weighing = {
  garbage: weighGarbage,
  idle: weighIdle,
  jobs: async () => ({ finished: await weigh('bench-at-once'), processing: await weigh('bench-long') }),
}
// The service itself does not keep the process alive.
setInterval(() => {}, 1000)
console.log(JSON.stringify(await weighing[process.argv[2] as keyof typeof weighing]()))
process.exit()
