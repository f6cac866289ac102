import { expect, test } from 'vitest'
import { exampleJob, manualClock } from '@genmount/testing'
import type { Job } from '../contracts/job.ts'
import { storage } from './storage.ts'

const clock = manualClock()
const size = 10
const stored = exampleJob({ phase: 'completed', outputs: [{ fileKey: 'job-1-0', bytes: size }] })

/** Knows the bytes of a store that answers its first read late, with the value that was true when the read began. */
function setUp(before: number, after: number) {
  const answers = [before, after, after]
  let reads = 0
  let answer = () => {}
  const held = new Promise<void>((resolve) => (answer = resolve))
  const account = storage(async () => {
    const bytes = answers[reads++]!
    if (reads === 1) await held
    return bytes
  }, clock)
  return {
    account,
    /** The bytes that a create sees which began before this write, and the number of reads. */
    async foundDuring(written: Job) {
      const found = account.of('alice', size)
      await Promise.resolve()
      account.saw(written)
      answer()
      return { found: await found, reads }
    },
  }
}

test('an output that is stored while the bytes of an owner are added up counts once', async () => {
  expect(await setUp(0, size).foundDuring(stored)).toEqual({ found: size, reads: 2 })
  expect(await setUp(size, size).foundDuring(stored)).toEqual({ found: size, reads: 2 })
})

test('a job that is deleted while the bytes of its owner are added up does not count', async () => {
  const deleted = { ...stored, expiresAt: 0, deletedAt: clock.now() }
  expect(await setUp(size, 0).foundDuring(deleted)).toEqual({ found: 0, reads: 2 })
})

test('a create waits for at most two reads of the stored bytes, although jobs end during each', async () => {
  let reads = 0
  const account = storage(async () => {
    account.saw(stored)
    return ++reads * size
  }, clock)
  expect(await account.of('alice', size)).toBeGreaterThanOrEqual(size)
  expect(reads).toBe(2)
})

test('a failed read of the stored bytes is repeated by the next create', async () => {
  let reads = 0
  const account = storage(async () => (reads++ === 0 ? Promise.reject(new Error('away')) : size), clock)
  await expect(account.of('alice', size)).rejects.toThrow('away')
  expect(await account.of('alice', size)).toBe(size)
})
