import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { json } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import type { Runtime } from '../processes/runtimes.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { startUploadServer } from './start-upload-server.ts'

const megabyte = 1_000_000
const beginningOfFilm = Buffer.from('\0\0\0\x1cftypisom', 'latin1')

type UploadServer = Awaited<ReturnType<typeof startUploadServer>>

/** Uploads a film as fast as the server reads it. @returns the upload object, and the SHA-256 of what was sent */
async function uploadFilm({ beginUpload }: UploadServer, megabytes: number) {
  const hash = createHash('sha256')
  const film = beginUpload(megabytes * megabyte)
  const answered = once(film, 'response')
  for (let index = 0; index < megabytes; index++) {
    const piece = Buffer.alloc(megabyte, index)
    if (index === 0) piece.set(beginningOfFilm)
    hash.update(piece)
    if (!film.write(piece)) await once(film, 'drain')
  }
  film.end()
  const [answer] = await answered
  return { upload: await json(answer), sent: hash.digest('hex') }
}

/** Declares a test of two uploads of this size at the same time on each of these runtimes. */
export function testLargeUploads(megabytes: number, runtimes: readonly Runtime[]): void {
  test.each(runtimes)(
    `two uploads of ${megabytes} MB at the same time raise the memory of a server on %s by less than 96 MB`,
    async (runtime) => {
      const server = await startUploadServer(runtime, temporaryFolder())
      await uploadFilm(server, 20)
      const before = await server.maxRss()
      const films = await Promise.all([uploadFilm(server, megabytes), uploadFilm(server, megabytes)])
      for (const { upload, sent } of films)
        expect(upload).toMatchObject({ content_type: 'video/mp4', bytes: megabytes * megabyte, sha256: sent })
      expect(((await server.maxRss()) - before) / megabyte).toBeLessThan(96)
    },
  )
}
