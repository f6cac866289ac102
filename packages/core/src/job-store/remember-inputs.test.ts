import { expect, test } from 'vitest'
import { exampleJob, survivingStore, manualClock } from '@genmount/testing'
import type { JobInputs } from '../contracts/job.ts'
import type { JobStore } from '../contracts/storage/job-store.ts'
import { rememberInputs } from './remember-inputs.ts'

const long = { prompt: 'a fox '.repeat(1000) }

/** A store that copies jobs as a database does, and notes the inputs with which its jobs are asked for. */
function notingStore() {
  const { jobs } = survivingStore(manualClock()).connect()
  const asked: (JobInputs | undefined)[] = []
  const noting: JobStore = {
    ...jobs,
    async get(id, owner, inputs) {
      asked.push(inputs)
      const job = structuredClone(await jobs.get(id, owner))
      return job && inputs ? { ...job, ...inputs } : job
    },
  }
  return { asked, jobs: noting }
}

test('long inputs that were stored or read once are not asked for again, and short ones are', async () => {
  const { asked, jobs } = notingStore()
  const [here, elsewhere] = [rememberInputs(jobs), rememberInputs(jobs)]
  const job = exampleJob({ id: 'long', input: long, shownInput: long })
  await here.insert(job)
  await here.insert(exampleJob({ id: 'short' }))
  expect((await here.get('long'))?.input).toBe(long)
  const read = await elsewhere.get('long')
  expect(read).toEqual(job)
  expect(await elsewhere.get('long')).toEqual(job)
  await here.get('short')
  expect(asked).toEqual([
    { input: long, shownInput: long },
    undefined,
    { input: read?.input, shownInput: read?.shownInput },
    undefined,
  ])
})

test('inputs that are kept can not be changed by a caller', async () => {
  const jobs = rememberInputs(notingStore().jobs)
  await jobs.insert(exampleJob({ id: 'long', input: structuredClone(long) }))
  const { input } = (await jobs.get('long')) as unknown as { input: { prompt: string } }
  expect(() => (input.prompt = 'a hare')).toThrow(TypeError)
})

test('the inputs of a deleted job are not kept', async () => {
  const { asked, jobs } = notingStore()
  const remembering = rememberInputs(jobs)
  await remembering.insert(exampleJob({ id: 'long', input: long }))
  await remembering.delete('long')
  await remembering.get('long')
  expect(asked).toEqual([undefined])
})
