// @module-tag needs/cc
// @module-tag needs/linux
import { test } from 'vitest'
import { createsOnSlowDisk } from './creates-on-slow-disk.ts'

test.each(['node', 'deno', 'bun'] as const)(
  'on %s, the event loop never waits for a disk that takes 50 ms for each sync, while 600 creates are stored',
  async (runtime) => void (await createsOnSlowDisk(runtime, 600)),
)
