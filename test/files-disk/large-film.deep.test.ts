// @module-tag needs/linux
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { outputOf } from '../processes/run-program.ts'
import { taskCommand } from './task-command.ts'

test.each(['node', 'deno', 'bun'] as const)(
  'on %s, 500 MB stored from a stream and read back raise memory by less than 64 MB',
  async (runtime) => {
    const folder = await mkdtemp(join(tmpdir(), 'genmount-large-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    const printed = JSON.parse(await outputOf(taskCommand(runtime, 'store 500 MB', folder)))
    expect(printed).toMatchObject({ size: 500_000_000, isSame: true })
    expect(printed.raisedMB).toBeLessThan(64)
  },
)
