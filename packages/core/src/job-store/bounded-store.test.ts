import { expect, test } from 'vitest'
import { memoryBackend } from '../defaults/memory-backend.ts'
import { systemClock } from '../defaults/system-clock.ts'
import { ending } from '../pacing/ending.ts'
import { boundedStore } from './bounded-store.ts'

test('a fault of the store is store_unavailable with its cause, whether it throws at once or rejects', async () => {
  const cause = new Error('database is locked')
  const get = () => {
    throw cause
  }
  const faulty = { ...memoryBackend().jobs, get, due: () => Promise.reject(cause) }
  const jobs = boundedStore(faulty, systemClock(), ending())
  for (const asked of [jobs.get('gen_1'), jobs.due(0, 1)])
    await expect(asked).rejects.toMatchObject({ code: 'store_unavailable', cause })
})
