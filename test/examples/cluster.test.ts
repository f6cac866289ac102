// @module-tag needs/linux
import { test } from 'vitest'
import { expectEndAfter } from './start-cluster.ts'

// In the deep suite the nodes are killed and drained, and all jobs end.
test('the example cluster completes jobs on three nodes and one Postgres, and Ctrl+C ends it with exit code 0 and leaves no process and no file', async () => {
  await expectEndAfter(/[1-9]\d* completed, 0 failed/)
})
