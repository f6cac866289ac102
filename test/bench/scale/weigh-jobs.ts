import { memoryBackend } from '@genmount/core'
import { settledHeap } from '../waiters/child-process.ts'
import { exampleService } from './example-jobs.ts'

/**
 * Prints how much heap a job takes in the memory backend. It is a script, because it needs a heap of its own.
 */

const jobs = 20_000

export interface JobWeight {
  /** How many bytes of heap a finished job takes. */
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

// The service itself does not keep the process alive.
const hold = setInterval(() => {}, 1000)
const weight: JobWeight = { finished: await weigh(true), processing: await weigh(false) }
console.log(JSON.stringify(weight))
clearInterval(hold)
