import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { fileStoreSuite } from '@genmount/testing'
import { runtimes } from '../processes/runtimes.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'genmount-runtime-'))
})
afterEach(() => rm(folder, { recursive: true }))

/** Runs the script to its own end; one that hangs on to something is killed and fails. */
async function printedBy(command: readonly string[], script: string, place = folder): Promise<unknown> {
  const [binary = '', ...options] = command
  const { stdout } = await promisify(execFile)(
    binary,
    [...options, join(import.meta.dirname, script), place],
    {
      env: { ...process.env, DENO_NO_UPDATE_CHECK: '1' },
      timeout: 170_000,
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
    expect(await printedBy(runtimes[runtime], 'suite-on-runtime.ts')).toEqual({
      cases: Object.keys(fileStoreSuite(neverCreated)).length,
      failing: [],
      handles: [],
    })
  })

  test('500 MB stored from a stream and read back raise memory by less than 64 MB', async () => {
    const printed = (await printedBy(runtimes[runtime], 'large-film.ts')) as { raisedMB: number }
    expect(printed).toMatchObject({ size: 500_000_000, isSame: true })
    expect(printed.raisedMB).toBeLessThan(64)
  })
})

test('on deno, access to the folder alone is enough', async () => {
  const outputs = join(folder, 'outputs')
  const [deno] = runtimes.deno
  const rights = [`--allow-read=${outputs}`, `--allow-write=${outputs}`]
  const command = [deno, 'run', '--conditions=@genmount/source', ...rights]
  expect(await printedBy(command, 'one-writer.ts', outputs)).toEqual({ isThere: true })
})
