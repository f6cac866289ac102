// @module-tag needs/linux
import { test } from 'vitest'
import { expectEndAfter } from './start-cluster.ts'

test('Ctrl+C just before the example cluster starts a node again ends it with exit code 0, and leaves no process and no file', async () => {
  await expectEndAfter(/[5-9]\.\d s  node a/)
})
