import { expect, test } from 'vitest'
import { fakeWorld } from '@genmount/testing'
import type { JobStore } from '../contracts/storage/job-store.ts'

test('a read of a job passes the owner to the store, which need not read jobs of others', async () => {
  const { jobs, serviceOver } = fakeWorld()
  const asked: unknown[] = []
  const get: JobStore['get'] = (id, owner) => (asked.push([id, owner]), jobs.get(id, owner))
  const service = serviceOver({ jobs: { get } })
  await service.get('job-1', 'bob').catch(() => {})
  await service.waitFor('job-1', 'bob').catch(() => {})
  expect(asked).toEqual([
    ['job-1', 'bob'],
    ['job-1', 'bob'],
  ])
  await service.close()
})
