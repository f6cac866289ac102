import { expect, test } from 'vitest'
import { sqliteBackend } from '@genmount/backend-sqlite'
import { exampleJob } from '@genmount/testing'
import { longestBlockOf } from './event-loop.ts'
import { temporaryFile } from './temporary-file.ts'

test('1,000 expired jobs among 10,000 are found and deleted, and the event loop is blocked for less than 200 ms', async () => {
  const { jobs, close } = sqliteBackend({ file: temporaryFile() })
  const { expiresAt } = exampleJob()
  await Promise.all(
    Array.from({ length: 10_000 }, (_, index) =>
      jobs.insert(
        exampleJob({
          id: `job-${index}`,
          phase: 'completed',
          expiresAt: index % 10 === 0 ? expiresAt : expiresAt + 1,
        }),
      ),
    ),
  )
  const begunAt = performance.now()
  const block = await longestBlockOf(async () => {
    const expired = await jobs.expired(expiresAt, 1_000)
    expect(expired).toHaveLength(1_000)
    await Promise.all(expired.map(({ id }) => jobs.delete(id)))
  })
  // 60 ms on a machine that does nothing else.
  expect(performance.now() - begunAt).toBeLessThan(10_000)
  expect(block).toBeLessThan(200)
  expect(await jobs.expired(expiresAt, 1_000)).toEqual([])
  expect(await jobs.expired(expiresAt + 1, 10_000)).toHaveLength(9_000)
  await close()
})
