import process from 'node:process'
import { type Job, memoryBackend } from '@genmount/core'
import { apiKeys, toNodeHandler } from '@genmount/node-http'
import { listen } from '../../loopback.ts'
import { answerParent, cpuMs } from '../answer-parent.ts'
import { benchService, createJobs } from '../bench-service.ts'
import { apiKey, owner } from '../workload.ts'

/** A process with a service whose memory backend is full of finished jobs. It answers the questions of its parent. */

/**
 * How many different jobs are read. It is the same for each size of the store, so that the caches of the CPU
 * work alike.
 */
const readJobs = 1000
const reads = 100_000
const creates = 5000

// Nothing else keeps the process alive while the store is filled.
setInterval(() => {}, 1000)
const size = Number(process.argv[2])
const backend = memoryBackend({ maxJobs: size, maxBytes: Number.MAX_SAFE_INTEGER })
const service = benchService({ backend })
const ids = await fill()
const { origin } = await listen(toNodeHandler(service, { authenticate: apiKeys({ [owner]: apiKey }) }))

/**
 * Fills the store. Each job is inserted as accepted and then replaced by a finished one, without a provider.
 */
async function fill(): Promise<readonly string[]> {
  const [first] = await createJobs(service, 'bench-at-once', 1)
  const example = JSON.stringify(await service.get(first!, owner))
  const spacing = Math.max(1, Math.floor(size / readJobs))
  const chosen: string[] = []
  for (let i = 1; i < size; i++) {
    const id = `gen_${crypto.randomUUID().replaceAll('-', '')}`
    const finished: Job = JSON.parse(example.replaceAll(first!, id))
    await backend.jobs.insert({ ...finished, phase: 'running', dueAt: Number.MAX_SAFE_INTEGER })
    await backend.jobs.replace(finished, finished.revision)
    if (i % spacing === 0 && chosen.length < readJobs) chosen.push(id)
    if (i % 1000 === 0) await new Promise((resolve) => setImmediate(resolve))
  }
  return chosen
}

async function readAll(): Promise<void> {
  for (let i = 0; i < reads; i++) await service.get(ids[i % ids.length]!, owner)
}

/** How many times `work` runs in one second of CPU time of this process. */
async function rateOf(count: number, work: () => Promise<unknown>): Promise<number> {
  const before = cpuMs()
  await work()
  return (count * 1000) / (cpuMs() - before)
}

export type StoreQuestion = 'read' | 'create' | 'cpu'

answerParent({ url: origin, paths: ids.map((id) => `/v1/jobs/${id}`) }, (question: StoreQuestion) => {
  switch (question) {
    case 'read':
      return rateOf(reads, readAll)
    case 'create':
      return rateOf(creates, () => createJobs(service, 'bench-at-once', creates))
    case 'cpu':
      return cpuMs()
  }
})
