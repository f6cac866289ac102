import { memoryBackend } from '@genmount/core'
import { settledHeap } from '../waiters/child-process.ts'
import { exampleService } from './example-jobs.ts'

/** Prints what a job weighs in the memory backend: a script, because it needs a heap of its own. */

const jobs = 20_000

export interface JobWeight {
  /** Bytes of heap. */
  readonly finished: number
  readonly processing: number
}

async function weigh(isDoneAtOnce: boolean): Promise<number> {
  const { service, create } = exampleService(memoryBackend(), isDoneAtOnce)
  await create(100)
  const before = await settledHeap()
  await create(jobs)
  const weight = ((await settledHeap()) - before) / jobs
  await service.close()
  return weight
}

// Nothing of ours keeps a process alive.
const hold = setInterval(() => {}, 1000)
const weight: JobWeight = { finished: await weigh(true), processing: await weigh(false) }
console.log(JSON.stringify(weight))
clearInterval(hold)
