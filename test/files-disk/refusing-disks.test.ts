import { execFile, execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { readdir, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { diskFiles } from '@genmount/files-disk'
import { runtimes } from '../processes/runtimes.ts'

const run = promisify(execFile)
const place = mkdtempSync(join(tmpdir(), 'genmount-refusing-'))
// The child that gives up its rights has to get here.
chmodSync(place, 0o755)
const smallDisk = join(place, 'small-disk')
afterAll(() => rmSync(place, { recursive: true }))

/** The arguments that make the child an ordinary user. */
const nobody = process.getuid?.() === 0 ? ['65534'] : []
const script = join(import.meta.dirname, 'one-writer.ts')
const textOf = async (folder: string, key: string) =>
  new Response((await diskFiles({ folder }).open?.(key))?.read()).text()
const putText = (folder: string, key: string, text: string) =>
  diskFiles({ folder }).put(key, Buffer.from(text), 'text/plain')

async function outcomeOf(folder: string, command: readonly string[], ...args: string[]): Promise<unknown> {
  const [binary = '', ...options] = command
  const { stdout } = await run(binary, [...options, script, folder, ...args])
  return JSON.parse(stdout)
}

const refused = (folder: string, reason: string, code: string) => ({
  failure: { message: `Files in ${folder}: ${reason} (${code}).`, code },
  isThere: false,
})

describe('a disk of one megabyte', { tags: ['needs/small-disk'] }, () => {
  const folder = join(smallDisk, 'outputs')

  // Needs root.
  beforeAll(() => {
    mkdirSync(smallDisk)
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', smallDisk])
    return () => execFileSync('umount', [smallDisk])
  })

  test.each(['node', 'deno', 'bun'] as const)(
    'that is full is told by name, keeps the files that it has, and no half, on %s',
    async (runtime) => {
      await putText(folder, 'small', 'a kite')
      expect(await outcomeOf(folder, runtimes[runtime])).toEqual(
        refused(folder, 'no space is left on the disk', 'ENOSPC'),
      )
      expect(await readdir(folder)).toHaveLength(1)
      expect(await textOf(folder, 'small')).toBe('a kite')
      await putText(folder, 'another', 'there is room for it')
      await diskFiles({ folder }).delete('another')
    },
  )

  test('that turned read-only is told by name, and can be read', async () => {
    await putText(folder, 'small', 'a kite')
    execFileSync('mount', ['-o', 'remount,ro', smallDisk])
    try {
      await expect(putText(folder, 'small', 'a lake')).rejects.toThrow(
        `Files in ${folder}: the disk is read-only (EROFS).`,
      )
      await expect(diskFiles({ folder }).delete('small')).rejects.toThrow('(EROFS)')
      expect(await textOf(folder, 'small')).toBe('a kite')
    } finally {
      execFileSync('mount', ['-o', 'remount,rw', smallDisk])
    }
  })
})

test('a file beyond the size that the process may write is refused, and nothing of it is left', async () => {
  const folder = join(place, 'limited')
  // In blocks of 512 bytes. Ignored, the signal turns into an error of the write.
  const limited = ['sh', '-c', 'trap "" XFSZ; ulimit -f 1000; exec "$@"', 'sh', ...runtimes.node]
  expect(await outcomeOf(folder, limited)).toEqual(
    refused(folder, 'a file is larger than this process may write', 'EFBIG'),
  )
  expect(await readdir(folder)).toEqual([])
})

test('a store is asked before its first file: it makes its folder, leaves nothing in it, and says what to do', async () => {
  const folder = join(place, 'made', 'outputs')
  await diskFiles({ folder }).ready?.()
  expect(await readdir(folder)).toEqual([])

  const file = join(place, 'a file')
  await writeFile(file, '')
  await expect(diskFiles({ folder: file }).ready?.()).rejects.toThrow(
    `Files in ${file}: that is not a folder (EEXIST). Move the file in its place away, or choose another folder.`,
  )
  const forbidden = join(place, 'asked')
  mkdirSync(forbidden)
  chmodSync(forbidden, 0o555)
  const [binary, ...options] = runtimes.node
  const asking = [...options, join(import.meta.dirname, 'print-readiness.ts'), forbidden, ...nobody]
  expect(JSON.parse((await run(binary, asking)).stdout)).toBe(
    `Files in ${forbidden}: permission is missing (EACCES). Let the user of this process write there, or choose another folder.`,
  )
})

test.each(['node', 'deno', 'bun'] as const)(
  'a folder on a file system without new folders is told by name within seconds, on %s',
  async (runtime) => {
    const [binary, ...options] = runtimes[runtime]
    const asking = [...options, join(import.meta.dirname, 'print-readiness.ts'), '/proc/genmount/outputs']
    const { stdout } = await run(binary, asking, { timeout: 10_000, killSignal: 'SIGKILL' })
    expect(JSON.parse(stdout)).toMatch(
      /^Files in \/proc\/genmount\/outputs: .*\. Choose a folder on a disk that can be written\.$/,
    )
  },
)

test('a folder without the permission to write is told by name', async () => {
  const folder = join(place, 'forbidden')
  mkdirSync(folder)
  chmodSync(folder, 0o555)
  expect(await outcomeOf(folder, runtimes.node, ...nobody)).toEqual(
    refused(folder, 'permission is missing', 'EACCES'),
  )
  expect(await readdir(folder)).toEqual([])
})

test('a folder is created also where its parent may not be listed', async () => {
  const parent = join(place, 'unlisted')
  mkdirSync(parent)
  chmodSync(parent, 0o333)
  expect(await outcomeOf(join(parent, 'outputs'), runtimes.node, ...nobody)).toEqual({ isThere: true })
})
