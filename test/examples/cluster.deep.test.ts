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
  const { cluster, left } = startCluster({ PORT: port })
  expect(await cluster.ended).toBe(1)
  expect(cluster.output.trim().split('\n')).toEqual([expect.stringContaining('EADDRINUSE')])
  expect(left()).toEqual({ processes: [], files: [] })
})
