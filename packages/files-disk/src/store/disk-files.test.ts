import { createHash } from 'node:crypto'
import { readdirSync, readlinkSync } from 'node:fs'
import {
  mkdir,
  mkdtemp,
  open,
  readdir,
  readFile,
  rm,
  symlink,
  truncate,
  utimes,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { guardedFetch } from '@genmount/guarded-fetch'
import { diskFiles } from './disk-files.ts'

let place: string
let folder: string
let files: ReturnType<typeof diskFiles>

beforeEach(async () => {
  place = await mkdtemp(join(tmpdir(), 'genmount-disk-'))
  folder = join(place, 'data/outputs')
  files = diskFiles({ folder })
})
afterEach(() => rm(place, { recursive: true }))

const film = new Uint8Array(600_000).map((_, index) => index % 251)

const opened = async (key: string) => {
  const file = await files.open?.(key)
  if (!file) throw new Error(`${key} is not there`)
  return file
}
const bytesOf = async (key: string) => new Response((await opened(key)).read()).bytes()
const textOf = async (key: string) => new Response((await opened(key)).read()).text()
const putText = (key: string, text: string) => files.put(key, Buffer.from(text), 'text/plain')
const onlyPath = async () => {
  const [name = ''] = await readdir(folder)
  return join(folder, name)
}

/** How many handles this process holds on files of the folder. */
const handlesHeld = () =>
  readdirSync('/proc/self/fd').filter((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`).startsWith(place)
    } catch {
      return false
    }
  }).length

describe('the folder of diskFiles', () => {
  test('is a required option', () => {
    for (const wrong of [undefined, '', 7, 'a\0b'])
      expect(() => diskFiles({ folder: wrong as string })).toThrow(
        /^diskFiles: folder must be the path of a folder/,
      )
    expect(() => diskFiles(undefined as never)).toThrow(/^diskFiles: folder must be/)
  })

  test('is created by the first put, and not by an open', async () => {
    expect(await files.open?.('a')).toBeUndefined()
    await files.delete('a')
    expect(await readdir(place)).toEqual([])
    await putText('a', 'a kite')
    expect(await readdir(folder)).toHaveLength(1)
  })

  test('is named in the error when it can not be created, and put cancels its source', async () => {
    await writeFile(join(place, 'data'), '')
    let reason: unknown
    const body = new ReadableStream<Uint8Array>({ cancel: (canceled) => void (reason = canceled) })
    const failure = await files.put('a', body, 'text/plain').catch((error: unknown) => error)
    expect(failure).toHaveProperty('message', `Files in ${folder}: that is not a folder (ENOTDIR).`)
    expect(failure).toHaveProperty('cause.code', 'ENOTDIR')
    expect(reason).toBe(failure)
  })

  test('is created again by several puts at once when it was deleted', async () => {
    await files.put('a', Buffer.from('a kite'), 'text/plain')
    await rm(folder, { recursive: true })
    const keys = ['a', 'b', 'c', 'd', 'e', 'f']
    await Promise.all(keys.map((key) => files.put(key, Buffer.from('a kite'), 'text/plain')))
    for (const key of keys) expect(await files.open?.(key)).toMatchObject({ size: 6 })
  })

  test('is created again when it was deleted', async () => {
    await putText('a', 'a kite')
    await rm(folder, { recursive: true })
    await putText('a', 'another kite')
    expect(await textOf('a')).toBe('another kite')
  })

  test('is read by the next process, which finds the size, type and hash of each file', async () => {
    await files.put('a', film, 'video/mp4; codecs="avc1"')
    files = diskFiles({ folder })
    expect(await opened('a')).toMatchObject({
      size: 600_000,
      contentType: 'video/mp4; codecs="avc1"',
      sha256: createHash('sha256').update(film).digest('hex'),
    })
    expect(await bytesOf('a')).toEqual(film)
  })
})

describe('the fetch of diskFiles', () => {
  test('is guardedFetch, or the option fetch', () => {
    const fetch = () => Promise.reject(new Error('offline'))
    expect(files.fetch).toBe(guardedFetch)
    expect(diskFiles({ folder, fetch: undefined }).fetch).toBe(guardedFetch)
    expect(diskFiles({ folder, fetch }).fetch).toBe(fetch)
  })

  test('must be a function, or diskFiles throws an error', () => {
    for (const wrong of ['guardedFetch', null, {}])
      expect(() => diskFiles({ folder, fetch: wrong as never })).toThrow(
        /^diskFiles: fetch must be a function such as guardedFetch, not /,
      )
  })
})

describe('the keys of diskFiles', () => {
  test('never lead to a path outside of the folder', async () => {
    const keys = [
      '..',
      '../../x',
      '/etc/passwd',
      'a',
      'A',
      'a/B',
      'a/b/c',
      'a/..',
      'a\0b',
      '',
      'é',
      'e\u0301',
      '\ud800',
      '\ud801',
    ]
    for (const key of keys) await putText(key, JSON.stringify(key))
    for (const key of keys) expect(await textOf(key)).toBe(JSON.stringify(key))
    expect(await readdir(place, { recursive: true })).toHaveLength(2 + keys.length)
    for (const name of await readdir(folder)) expect(name).toMatch(/^[0-9a-f]{64}$/)
  })

  test('are the paths of their files when they can be listed', async () => {
    const keys = ['uploads/0199-ab', 'a/b', `a/${'x'.repeat(200)}`]
    for (const key of [...keys, `a/${'x'.repeat(201)}`, 'a/b.c']) await putText(key, key)
    for (const key of keys) expect(await readFile(join(folder, key), 'latin1')).toMatch(key)
    const inFolders = (await readdir(folder, { recursive: true })).filter((path) => path.includes('/'))
    expect(inFolders.toSorted()).toEqual(keys.toSorted())
  })

  test('may be longer than the name of a file', async () => {
    await putText('x'.repeat(100_000), 'a kite')
    expect(await textOf('x'.repeat(100_000))).toBe('a kite')
  })
})

describe('a symbolic link in the place of a file of diskFiles', () => {
  test('is not followed by open, put and delete', async () => {
    await putText('a', 'a kite')
    const path = await onlyPath()
    const secret = join(place, 'secret')
    await writeFile(secret, await readFile(path))
    const plant = async () => {
      await rm(path, { force: true })
      await symlink(secret, path)
    }

    await plant()
    await expect(files.open?.('a')).rejects.toThrow('there is a symbolic link in place of a file (ELOOP)')
    await files.delete('a')
    expect(await files.open?.('a')).toBeUndefined()
    await plant()
    await putText('a', 'another kite')
    expect(await textOf('a')).toBe('another kite')
    expect(await readFile(secret, 'utf8')).toContain('a kite')
  })
})

describe('diskFiles and damaged files', () => {
  test('open fails when any part of the end of a file is missing', async () => {
    await putText('a', 'a kite')
    const path = await onlyPath()
    const whole = await readFile(path)
    for (let length = whole.byteLength - 1; length >= 0; length--) {
      await truncate(path, length)
      await expect(files.open?.('a')).rejects.toThrow('is damaged')
    }
    await writeFile(path, whole.subarray(1))
    await expect(files.open?.('a')).rejects.toThrow('is damaged, it has 5 bytes of 6')
    expect(handlesHeld()).toBe(0)
  })

  test('open fails when a folder or other bytes are in the place of a file', async () => {
    await putText('a', 'a kite')
    const path = await onlyPath()
    await writeFile(path, '\xff\xff\xff\xffgmf1', 'latin1')
    await expect(files.open?.('a')).rejects.toThrow('is damaged, its start is missing')
    await writeFile(path, '{]\x02\0\0\0gmf1', 'latin1')
    await expect(files.open?.('a')).rejects.toThrow('is damaged')
    await rm(path)
    await mkdir(path)
    await expect(files.open?.('a')).rejects.toThrow('is damaged, it is not a file')
    expect(handlesHeld()).toBe(0)
  })

  test('a read of a file with one wrong byte fails before its end', async () => {
    await files.put('a', film, 'video/mp4')
    const handle = await open(await onlyPath(), 'r+')
    await handle.write(Buffer.from([255]), 0, 1, 500_000)
    await handle.close()
    const file = await opened('a')
    await expect(new Response(file.read()).bytes()).rejects.toThrow('is damaged: its SHA-256 is not')
    await expect(new Response(file.read({ start: 0, end: 599_999 })).bytes()).rejects.toThrow('is damaged')
    expect(handlesHeld()).toBe(0)
  })

  test('a read of a range returns nothing that is stored behind the content', async () => {
    await putText('a', 'a kite')
    expect(await new Response((await opened('a')).read({ start: 2, end: 1_000 })).text()).toBe('kite')
  })

  test('the end of a stored file has the layout that the README documents', async () => {
    await files.put('job-1/0', Buffer.from('a kite'), 'text/plain')
    const stored = await readFile(await onlyPath())
    const recordLength = stored.readUInt32LE(stored.byteLength - 8)
    expect(stored.toString('utf8', stored.byteLength - 4)).toBe('gmf1')
    expect(
      JSON.parse(stored.toString('utf8', stored.byteLength - 8 - recordLength, stored.byteLength - 8)),
    ).toEqual({
      key: 'job-1/0',
      contentType: 'text/plain',
      size: 6,
      sha256: createHash('sha256').update('a kite').digest('hex'),
    })
    expect(stored.toString('utf8', 0, stored.byteLength - 8 - recordLength)).toBe('a kite')
  })
})

describe('a file of diskFiles that is open', () => {
  test('can not be read when it is replaced or deleted before the first byte', async () => {
    await putText('a', 'a kite')
    const file = await opened('a')
    await putText('a', 'a lake')
    await expect(new Response(file.read()).text()).rejects.toThrow('was deleted or replaced')
    await files.delete('a')
    await expect(new Response(file.read()).text()).rejects.toThrow('was deleted or replaced')
    expect(handlesHeld()).toBe(0)
  })

  test('is read to its end when it is replaced or deleted after the first byte', async () => {
    for (const change of [() => putText('a', 'a lake'), () => files.delete('a')]) {
      await files.put('a', film, 'video/mp4')
      const reader = (await opened('a')).read().getReader()
      let { value } = await reader.read()
      await change()
      const parts: Uint8Array<ArrayBuffer>[] = []
      for (; value; { value } = await reader.read()) parts.push(value)
      expect(await new Blob(parts).bytes()).toEqual(film)
    }
  })
})

describe('diskFiles after a failure', () => {
  test('put fails with the error of its source, keeps the earlier file and leaves no partial file', async () => {
    await putText('a', 'a kite')
    const broken = Object.assign(new Error('socket hang up'), { code: 'ENOSPC' })
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(film),
      pull: (controller) => controller.error(broken),
    })
    await expect(files.put('a', body, 'text/plain')).rejects.toBe(broken)
    expect(await textOf('a')).toBe('a kite')
    expect(await readdir(folder)).toHaveLength(1)
    expect(handlesHeld()).toBe(0)
  })

  test('partial files of a crashed process are deleted after an hour, and no other file is', async () => {
    await putText('a', 'a kite')
    const leave = async (name: string, minutesAgo: number) => {
      const path = join(folder, name)
      await writeFile(path, 'half')
      const at = Date.now() / 1000 - minutesAgo * 60
      await utimes(path, at, at)
    }
    await leave('1.incoming', 61)
    await leave('2.incoming', 59)
    await leave('foreign', 61)
    await putText('b', 'a lake')
    expect((await readdir(folder)).filter((name) => name.length < 64)).toHaveLength(3)

    files = diskFiles({ folder })
    await putText('c', 'a tree')
    expect((await readdir(folder)).filter((name) => name.length < 64).toSorted()).toEqual([
      '2.incoming',
      'foreign',
    ])
    for (const [key, text] of [
      ['a', 'a kite'],
      ['b', 'a lake'],
      ['c', 'a tree'],
    ] as const)
      expect(await textOf(key)).toBe(text)
  })
})

describe.runIf(process.platform === 'linux')(
  'a reader of diskFiles holds one file handle, and closes it',
  () => {
    test('at the end of the file', async () => {
      await files.put('a', film, 'video/mp4')
      const reader = (await opened('a')).read().getReader()
      expect(handlesHeld()).toBe(0)
      await reader.read()
      expect(handlesHeld()).toBe(1)
      while (!(await reader.read()).done);
      expect(handlesHeld()).toBe(0)
    })

    test('when it cancels before, during or after a read', async () => {
      await files.put('a', film, 'video/mp4')
      const file = await opened('a')
      await file.read().cancel()

      const after = file.read().getReader()
      await after.read()
      await after.cancel()

      const during = file.read().getReader()
      const pending = during.read()
      await during.cancel()
      expect(await pending).toEqual({ done: true, value: undefined })
      expect(handlesHeld()).toBe(0)
    })

    test('when the file is truncated during the read', async () => {
      await files.put('a', film, 'video/mp4')
      const reader = (await opened('a')).read().getReader()
      await reader.read()
      await truncate(await onlyPath(), 50_000)
      await expect(reader.read()).rejects.toThrow('it ends too early')
      expect(handlesHeld()).toBe(0)
    })

    test('when a hundred readers read at the same time', async () => {
      await files.put('a', film, 'video/mp4')
      const file = await opened('a')
      const readers = Array.from({ length: 100 }, () => file.read().getReader())
      await Promise.all(readers.map((reader) => reader.read()))
      expect(handlesHeld()).toBe(100)
      await Promise.all(readers.map((reader) => reader.cancel()))
      expect(handlesHeld()).toBe(0)
    })
  },
)

test('diskFiles keeps the whole file of the put that ends last when several puts have the same key', async () => {
  const gates = Array.from({ length: 4 }, () => new TransformStream<Uint8Array, Uint8Array>())
  const puts = gates.map(({ readable }, index) => files.put('a', readable, `video/${index}`))
  const writers = gates.map(({ writable }) => writable.getWriter())
  for (const [index, writer] of writers.entries()) await writer.write(new Uint8Array(300_000).fill(index))
  for (const index of [2, 0, 3, 1]) {
    await writers[index]?.close()
    await puts[index]
    expect(await opened('a')).toMatchObject({ size: 300_000, contentType: `video/${index}` })
    expect(await bytesOf('a')).toEqual(new Uint8Array(300_000).fill(index))
  }
  expect(await readdir(folder)).toHaveLength(1)
})
