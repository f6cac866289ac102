// @module-tag needs/linux
import { readdir, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { fakeFile } from '@genmount/testing'
import { temporaryFolder } from '../temporary-folder.ts'
import { startUploadServer } from './start-upload-server.ts'

const picture = fakeFile('image').bytes

test('a server that is killed in the middle of an upload deletes the partial file after its restart and keeps other uploads', async () => {
  const folder = temporaryFolder()
  const incoming = async () => (await readdir(folder)).filter((name) => name.endsWith('.incoming'))
  const first = await startUploadServer('node', folder)
  const whole = (await (await first.post('/v1/uploads', picture)).json()) as { readonly url: string }
  const upload = first.beginUpload(50_000_000)
  upload.write(picture)
  upload.write(Buffer.alloc(5_000_000))
  await vi.waitFor(
    async () => {
      const [name = ''] = await incoming()
      expect((await stat(join(folder, name))).size).toBeGreaterThan(1_000_000)
    },
    { timeout: 60_000 },
  )
  await first.kill()
  expect(await readdir(join(folder, 'uploads'))).toHaveLength(1)

  const [half = ''] = await incoming()
  const twoHoursAgo = Date.now() / 1000 - 7200
  await utimes(join(folder, half), twoHoursAgo, twoHoursAgo)
  const next = await startUploadServer('node', folder)
  const body = JSON.stringify({ model: 'fake-image', prompt: 'a kite', image: whole.url })
  const created = await next.post('/v1/generate?wait=true', body)
  expect(created.status).toBe(200)
  expect(await created.json()).toMatchObject({ status: 'completed', input: { image: whole.url } })
  expect((await next.post('/v1/uploads', picture)).status).toBe(201)
  expect(await incoming()).toEqual([])
  expect(await readdir(join(folder, 'uploads'))).toHaveLength(2)
})
