import { test } from 'vitest'
import { expectHandOver } from './hand-over.ts'

test('a standalone server answers twenty who wait with 202 after SIGINT, finishes a slow download, hands its jobs to the server beside it, and exits with 0', async () => {
  await expectHandOver('SIGINT')
})
