import { expect, test } from 'vitest'
import { exampleJob } from '@genmount/testing'
import type { JobStore } from '../contracts/job-store.ts'
import { memoryBackend } from '../defaults/memory-backend.ts'
import { tellFaults } from './tell-faults.ts'

test('a fault of the store is store_unavailable, whether thrown at once or later, and keeps its cause', async () => {
  const cause = new Error('database is locked')
  const get = () => {
    throw cause
  }
  const jobs = tellFaults({ ...memoryBackend().jobs, get, due: () => Promise.reject(cause) })
  for (const asked of [jobs.get('gen_1'), jobs.due(0, 1)])
    await expect(asked).rejects.toMatchObject({ code: 'store_unavailable', cause })
})

test('a store that forgets jobs tells of them, and one that does not is not made to', () => {
  const forgotten: string[] = []
  let forget: ((job: ReturnType<typeof exampleJob>) => void) | undefined
  const { onForgotten: _, ...memory }: JobStore = memoryBackend().jobs
  const jobs = tellFaults({ ...memory, onForgotten: (run) => (forget = run) })
  jobs.onForgotten?.(({ id }) => forgotten.push(id))
  forget?.(exampleJob({ id: 'gen_1' }))
  expect(forgotten).toEqual(['gen_1'])
  expect(tellFaults(memory)).not.toHaveProperty('onForgotten')
})
