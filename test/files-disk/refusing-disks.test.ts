import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { readdir, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { diskFiles } from '@genmount/files-disk'
import type { Command } from '../processes/launch.ts'
import { outputOf } from '../processes/run-program.ts'
import { taskCommand } from './task-command.ts'

const place = mkdtempSync(join(tmpdir(), 'genmount-refusing-'))
// The child that gives up its rights has to get here.
chmodSync(place, 0o755)
const smallDisk = join(place, 'small-disk')
afterAll(() => {
  // Only root can delete what is in folders without permissions.
  for (const name of ['', ...readdirSync(place)]) chmodSync(join(place, name), 0o755)
  rmSync(place, { recursive: true })
})

/** The arguments that make the child an ordinary user. */
const nobody = process.getuid?.() === 0 ? ['65534'] : []
const textOf = async (folder: string, key: string) =>
  new Response((await diskFiles({ folder }).open?.(key))?.read()).text()
const putText = (folder: string, key: string, text: string) =>
  diskFiles({ folder }).put(key, Buffer.from(text), 'text/plain')

const printedBy = async (command: Command) => JSON.parse(await outputOf(command))
const store = 'store a megabyte'

const refused = (folder: string, reason: string, code: string) => ({
  failure: { message: `Files in ${folder}: ${reason} (${code}).`, code },
  isThere: false,
})

describe('diskFiles on a disk of one megabyte', { tags: ['needs/small-disk'] }, () => {
  const folder = join(smallDisk, 'outputs')

  beforeAll(async () => {
    mkdirSync(smallDisk)
    await outputOf(['mount', '-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', smallDisk])
    return async () => void (await outputOf(['umount', smallDisk]))
  })

  test.each(['node', 'deno', 'bun'] as const)(
    'a put on a full disk fails with ENOSPC in words, keeps the stored files, and leaves no part of the new file, on %s',
    async (runtime) => {
      await putText(folder, 'small', 'a kite')
      expect(await printedBy(taskCommand(runtime, store, folder))).toEqual(
        refused(folder, 'no space is left on the disk', 'ENOSPC'),
      )
      expect(await readdir(folder)).toHaveLength(1)
      expect(await textOf(folder, 'small')).toBe('a kite')
      await putText(folder, 'another', 'there is room for it')
      await diskFiles({ folder }).delete('another')
    },
  )

  test('a put on a disk that became read-only fails with EROFS in words, and stored files can be read', async () => {
    await putText(folder, 'small', 'a kite')
    await outputOf(['mount', '-o', 'remount,ro', smallDisk])
    try {
      await expect(putText(folder, 'small', 'a lake')).rejects.toThrow(
        `Files in ${folder}: the disk is read-only (EROFS).`,
      )
      await expect(diskFiles({ folder }).delete('small')).rejects.toThrow('(EROFS)')
      expect(await textOf(folder, 'small')).toBe('a kite')
    } finally {
      await outputOf(['mount', '-o', 'remount,rw', smallDisk])
    }
  })
})

test('a put of a file larger than the process may write fails with EFBIG in words and leaves nothing', async () => {
  const folder = join(place, 'limited')
  // In blocks of 512 bytes. Ignored, the signal turns into an error of the write.
  const limit = 'trap "" XFSZ; ulimit -f 1000; exec "$@"'
  const limited = ['sh', '-c', limit, 'sh', ...taskCommand('node', store, folder)] as const
  expect(await printedBy(limited)).toEqual(
    refused(folder, 'a file is larger than this process may write', 'EFBIG'),
  )
  expect(await readdir(folder)).toEqual([])
})

test("ready makes the folder of diskFiles, leaves nothing in it, and says what to do when it can't", async () => {
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
  expect(await printedBy(taskCommand('node', 'be ready', forbidden, ...nobody))).toBe(
    `Files in ${forbidden}: permission is missing (EACCES). Let the user of this process write there, or choose another folder.`,
  )
})

test.each(['node', 'deno', 'bun'] as const)(
  'ready rejects within 10 seconds when the file system takes no new folders, on %s',
  { tags: ['needs/linux'] },
  async (runtime) => {
    const asking = taskCommand(runtime, 'be ready', '/proc/genmount/outputs')
    expect(JSON.parse(await outputOf(asking, { timeoutMs: 10_000 }))).toMatch(
      /^Files in \/proc\/genmount\/outputs: .*\. Choose a folder on a disk that can be written\.$/,
    )
  },
)

test('a put into a folder that the process may not write to fails with EACCES in words', async () => {
  const folder = join(place, 'forbidden')
  mkdirSync(folder)
  chmodSync(folder, 0o555)
  expect(await printedBy(taskCommand('node', store, folder, ...nobody))).toEqual(
    refused(folder, 'permission is missing', 'EACCES'),
  )
  expect(await readdir(folder)).toEqual([])
})

test('diskFiles makes its folder in a parent folder that may not be listed', async () => {
  const parent = join(place, 'unlisted')
  mkdirSync(parent)
  chmodSync(parent, 0o333)
  expect(await printedBy(taskCommand('node', store, join(parent, 'outputs'), ...nobody))).toEqual({
    isThere: true,
  })
})
