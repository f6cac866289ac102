import { uploads } from '@genmount/core/uploads'
import { expect, test } from 'vitest'
import { picture, uploadWorld } from '../test-kit/upload-world.ts'

const mebibyte = 1024 * 1024
const large = new Uint8Array(3 * mebibyte)
large.set(picture)

test('an upload that an input repeats counts each time towards the size, where the provider gets bytes', async () => {
  const { service, create, upload, submitted, inputs } = uploadWorld()
  const { url } = await upload(large)
  await expect(create({ images: Array(7).fill(url) })).rejects.toMatchObject({
    code: 'invalid_request',
    param: 'images.0',
    message: expect.stringContaining(`have ${21 * mebibyte} bytes`),
  })
  await create({ images: Array(6).fill(url) })
  await submitted()
  expect(JSON.stringify(inputs.submits[0]).length).toBeLessThan(28 * mebibyte)
  await service.close()
})

test('an input may refer to one upload any number of times, where the provider gets a link', async () => {
  const { service, create, upload } = uploadWorld({ plugins: [uploads({ baseUrl: 'https://app.example' })] })
  const { url } = await upload(large)
  expect((await create({ images: Array(1000).fill(url) })).phase).not.toBe('failed')
  await service.close()
})
