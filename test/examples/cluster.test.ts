// @module-tag needs/linux
import { expect, test } from 'vitest'
import { startCluster } from './start-cluster.ts'

test('the example cluster finishes every job on three nodes and one Postgres though one node is killed and one drained, and ends all nodes', async () => {
  const { cluster, left } = startCluster()
  await cluster.heard(/node b is killed \(SIGKILL\)/)
  await cluster.heard(/node c gets SIGTERM/)
  const [summary] = await cluster.heard(/All \d+ jobs have ended: .*/)
  expect(summary).toBe('All 30 jobs have ended: 30 completed, 0 failed, 0 lost.')
  cluster.child.kill('SIGTERM')
  expect(await cluster.ended).toBe(0)
  expect(left()).toEqual({ processes: [], files: [] })
})
