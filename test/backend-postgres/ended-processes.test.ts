import { beforeAll, describe, expect, test } from 'vitest'
import type { Job } from '@genmount/core'
import { killProcess, startProcess, type StartOptions } from '../backend-sqlite/started-process.ts'
import { databaseOfFile } from '../postgres/temporary-database.ts'
import { until } from '../until.ts'
import { locksOf, nodeOn, terminateOthers } from './two-nodes.ts'

let url: string
beforeAll(async () => {
  url = await databaseOfFile()
})

/** A node, and others in processes of their own that have claimed jobs and stay. */
async function setUp() {
  const node = nodeOn(url)
  await node.backend.ready?.()
  return {
    ...node,
    async claimant(ids: readonly string[], options?: StartOptions) {
      const script = '../../backend-postgres/processes/claim-and-stay.ts'
      const started = startProcess(script, [url, node.schema, ...ids], options)
      const id = await started.line()
      return { ...started, id }
    },
    async release(id: string) {
      const { claimedUntil: _, ...job } = (await node.jobs.get(id)) as Job
      expect(await node.jobs.replace({ ...job, revision: job.revision + 1 }, job.revision)).toBe('replaced')
    },
  }
}

describe.concurrent('of the nodes on one database', () => {
  test.each(['node', 'deno', 'bun'] as const)(
    'one on %s that is killed has ended within seconds, and its jobs are left behind until their claims are given up',
    async (runtime) => {
      const { processes, claimant, release } = await setUp()
      const [one, other] = [await claimant(['a', 'b'], { runtime }), await claimant(['c'])]
      expect(await processes.hasEnded(one.id)).toBe(false)
      await new Promise((resolve) => setTimeout(resolve, 2000))
      await killProcess(one)
      await until(() => processes.hasEnded(one.id))
      expect((await processes.leftBehind(10)).toSorted()).toEqual(['a', 'b'])
      expect(await processes.leftBehind(1)).toHaveLength(1)
      await release('a')
      expect(await processes.leftBehind(10)).toEqual(['b'])
      await release('b')
      expect(await processes.leftBehind(10)).toEqual([])
      expect(await processes.hasEnded(one.id)).toBe(true)
      expect(await processes.hasEnded(other.id)).toBe(false)
    },
  )

  test('one that is frozen has not ended, and one that has closed has', async () => {
    const { pool, schema, processes, claimant } = await setUp()
    const [frozen, closing] = [await claimant(['a']), await claimant(['b'])]
    await until(async () => (await locksOf(pool, schema)) === 3)
    frozen.child.kill('SIGSTOP')
    await new Promise((resolve) => setTimeout(resolve, 8000))
    expect(await processes.hasEnded(frozen.id)).toBe(false)
    expect(await processes.leftBehind(10)).toEqual([])
    closing.child.stdin?.write('close\n')
    expect(await closing.line()).toBe('closed')
    await until(() => processes.hasEnded(closing.id))
    expect(await processes.leftBehind(10)).toEqual(['b'])
  })
})

test('nodes whose connections the server ends have not ended, and take their locks again within five seconds', async () => {
  const { pool, schema, processes, claimant } = await setUp()
  const other = await claimant(['a'])
  await until(async () => (await locksOf(pool, schema)) === 2)
  // From now on this node would say so if the other one had ended.
  await new Promise((resolve) => setTimeout(resolve, 6000))
  for (let round = 0; round < 3; round++) {
    await terminateOthers(pool)
    await new Promise((resolve) => setTimeout(resolve, 100))
    await until(async () => (await locksOf(pool, schema)) === 2, 20_000)
    expect(await processes.hasEnded(other.id)).toBe(false)
    expect(await processes.leftBehind(10)).toEqual([])
  }
  await killProcess(other)
  await until(() => processes.hasEnded(other.id), 8000)
})

test('a text that is no id of a process has not ended', async () => {
  const { processes } = await setUp()
  for (const id of ['', 'a b', "'; DROP TABLE jobs", processes.id])
    expect(await processes.hasEnded(id)).toBe(false)
})
