import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { fileStoreSuite } from '@genmount/testing'
import { runtimes } from '../runtimes.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'genmount-runtime-'))
})
afterEach(() => rm(folder, { recursive: true }))

/** Runs the script to its own end; one that hangs on to something is killed and fails. */
async function printedBy(command: readonly string[], script: string, ...args: string[]): Promise<unknown> {
  const [binary = '', ...options] = command
  const { stdout } = await promisify(execFile)(
    binary,
    [...options, join(import.meta.dirname, script), ...args],
    {
      env: { ...process.env, DENO_NO_UPDATE_CHECK: '1' },
      timeout: 100_000,
      killSignal: 'SIGKILL',
    },
  )
  return JSON.parse(stdout)
}

const neverCreated = () => {
  throw new Error('Only the names are of interest.')
}

describe.each(['node', 'deno', 'bun'] as const)('on %s', (runtime) => {
  test('folder and files are for the user alone, from the first byte on and whatever the umask', async () => {
    const withoutUmask = ['sh', '-c', 'umask 000; exec "$@"', 'sh', ...runtimes[runtime]]
    expect(await printedBy(withoutUmask, 'print-rights.ts', join(folder, 'outputs'))).toEqual({
      folder: '700',
      comingIn: ['600'],
      stored: ['600'],
    })
  })

  test('a store on disk keeps every promise of the contract, and no handle', async () => {
    expect(await printedBy(runtimes[runtime], 'suite-on-runtime.ts', folder)).toEqual({
      cases: Object.keys(fileStoreSuite(neverCreated)).length,
      failing: [],
      handles: [],
    })
  })

  test(
    '500 MB stored from a stream raise memory by less than 64 MB, and read back by less than 100 MB',
    { timeout: 120_000 },
    async () => {
      const film = ['disk', JSON.stringify({ folder }), '500']
      expect(await printedBy(runtimes[runtime], '../large-film.ts', ...film)).toEqual({
        bytes: 500_000_000,
        isSame: true,
        raisedByPutMB: expect.toSatisfy((raised: number) => raised < 64),
        raisedByBothMB: expect.toSatisfy((raised: number) => raised < 100),
      })
    },
  )
})

test('on deno, access to the folder alone is enough', async () => {
  const outputs = join(folder, 'outputs')
  const [deno] = runtimes.deno
  const rights = [`--allow-read=${outputs}`, `--allow-write=${outputs}`]
  const command = [deno, 'run', '--conditions=@genmount/source', ...rights]
  expect(await printedBy(command, 'one-writer.ts', outputs)).toEqual({ isThere: true })
})
