import { readdir, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { diskFiles } from '@genmount/files-disk'
import { digestOf, filmChunk, filmChunks, filmDigest, filmStream } from './film.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { killAfter, killWriters, readBack } from './killed-writer.ts'

test.each([0, 1, filmChunks / 2, filmChunks])(
  'a process that is killed after %i of 40 chunks of a put leaves the old file unchanged and no new file',
  async (heldAt) => {
    const folder = temporaryFolder()
    const halves = async () => (await readdir(folder)).filter((name) => name.endsWith('.incoming'))
    await diskFiles({ folder }).put('old', filmStream(1), 'video/one')
    await killAfter(2, 'hold two films', folder, String(heldAt))

    expect(await readBack(folder, 'old')).toEqual({ contentType: 'video/one', sha256: filmDigest(1) })
    expect(await readBack(folder, 'fresh')).toBeUndefined()
    expect(await halves()).toHaveLength(2)

    const twoHoursAgo = Date.now() / 1000 - 7200
    for (const name of await halves()) await utimes(join(folder, name), twoHoursAgo, twoHoursAgo)
    await diskFiles({ folder }).put('fresh', filmStream(3), 'video/three')
    expect(await halves()).toEqual([])
    expect(await readBack(folder, 'old')).toEqual({ contentType: 'video/one', sha256: filmDigest(1) })
    expect(await readBack(folder, 'fresh')).toEqual({
      contentType: 'video/three',
      sha256: filmDigest(3),
    })
  },
)

test('a process that is killed at any moment leaves the version that it has reported last, or the next one, whole', () =>
  killWriters(4))

test('a file that is still being written is not deleted by another store on the folder', async () => {
  const folder = temporaryFolder()
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
  const stored = diskFiles({ folder }).put('film', readable, 'video/one')
  const writer = writable.getWriter()
  await writer.write(filmChunk(1, 0))
  await diskFiles({ folder }).put('other', filmStream(2), 'video/two')
  await writer.close()
  await stored
  expect(await readBack(folder, 'film')).toEqual({
    contentType: 'video/one',
    sha256: digestOf(filmChunk(1, 0)),
  })
})
