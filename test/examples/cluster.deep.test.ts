// @module-tag needs/linux
import { expect, test } from 'vitest'
import { served } from '../served.ts'
import { expectEndAfter, startCluster } from './start-cluster.ts'

test('Ctrl+C just before the example cluster starts a node again ends it with exit code 0, and leaves no process and no file', async () => {
  await expectEndAfter(/[5-9]\.\d s  node a/)
})

test('Ctrl+C while the nodes of the example cluster start ends it with exit code 0, and leaves no process and no file', async () => {
  await expectEndAfter(/Three standalone servers start/)
})

test('the example cluster says that its port is taken, and leaves no process and no file', async () => {
  const { port } = new URL(await served(() => {}))
  const { cluster, left } = await startCluster({ PORT: port })
  expect(await cluster.ended).toBe(1)
  expect(cluster.output.trim().split('\n')).toEqual([expect.stringContaining('EADDRINUSE')])
  expect(left()).toEqual({ processes: [], files: [] })
})

test('the example cluster finishes every job on three nodes and one Postgres though one node is killed and one drained, and ends all nodes', async () => {
  const { cluster, left } = await startCluster()
  await cluster.heard(/node b is killed \(SIGKILL\)/)
  await cluster.heard(/node c gets SIGTERM/)
  const [summary] = await cluster.heard(/All \d+ jobs have ended: .*/)
  expect(summary).toBe('All 30 jobs have ended: 30 completed, 0 failed, 0 lost.')
  cluster.child.kill('SIGTERM')
  expect(await cluster.ended).toBe(0)
  expect(left()).toEqual({ processes: [], files: [] })
})
