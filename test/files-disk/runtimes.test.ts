import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { suitesHoldOn } from '../conformance/suites-hold-on.ts'
import { outputOf } from '../processes/run-program.ts'
import { runtimes } from '../processes/runtimes.ts'
import { taskCommand } from './task-command.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'genmount-runtime-'))
})
afterEach(() => rm(folder, { recursive: true }))

describe.each(['node', 'deno', 'bun'] as const)('on %s', (runtime) => {
  test('only the user can read the folder and the files of diskFiles, from the first byte and with any umask', async () => {
    const command = taskCommand(runtime, 'print rights', join(folder, 'outputs'))
    const withoutUmask = ['sh', '-c', 'umask 000; exec "$@"', 'sh', ...command] as const
    expect(JSON.parse(await outputOf(withoutUmask))).toEqual({
      folder: '700',
      comingIn: ['600'],
      stored: ['600'],
    })
  })

  test(
    'diskFiles passes the conformance suite of file stores and leaves no file open',
    { tags: ['needs/linux'] },
    () => suitesHoldOn(runtime, new URL('run-task.ts', import.meta.url), 'all', 'run suite', folder),
  )
})

test('on Deno, diskFiles needs the permissions to read and write its folder, and no other', async () => {
  const outputs = join(folder, 'outputs')
  const [deno] = runtimes.deno
  const rights = [`--allow-read=${outputs}`, `--allow-write=${outputs}`]
  const script = join(import.meta.dirname, 'run-task.ts')
  const task = [script, 'store a megabyte', outputs]
  const command = [deno, 'run', '--conditions=@genmount/source', ...rights, ...task] as const
  expect(JSON.parse(await outputOf(command))).toEqual({ isThere: true })
})
