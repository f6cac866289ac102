import { memoryFileStore } from '@genmount/core'
import { uploads } from '@genmount/core/uploads'
import { expect, test } from 'vitest'
import { dataUri, picture, uploadWorld } from '../test-kit/upload-world.ts'

test('a provider gets the link of a file store, valid at most until the upload expires', async () => {
  const memory = memoryFileStore()
  const link = async (key: string, untilAt: number) => `https://bucket.example/${key}?until=${untilAt}`
  const { put, delete: remove, list } = memory
  const { upload, create, submitted, inputs, service, clock } = uploadWorld({
    files: { put, delete: remove, link, ...(list && { list }) },
    plugins: [uploads({ retentionHours: 1 })],
  })
  const { url, expiresAt } = await upload()
  await clock.advance(60_000)
  await create({ image: url })
  await submitted()
  expect(inputs.submits).toEqual([
    { prompt: 'a', image: expect.stringMatching(RegExp(`^https://bucket.example/uploads/.*=${expiresAt}$`)) },
  ])
  await expect(create({ image: url.replace(/\w\w\.png/, 'zz.png') })).rejects.toMatchObject({
    param: 'image',
  })
  await service.close()
})

test('with a public base URL, a provider gets a link of the service that ends with the job', async () => {
  const { upload, create, submitted, inputs, service, inTime } = uploadWorld({
    plugins: [uploads({ baseUrl: 'https://app.example/media' })],
  })
  const { url } = await upload()
  const { id } = await create({ image: url })
  await submitted()
  const { image } = inputs.submits[0] as { readonly image: string }
  const [, token = '', name = ''] =
    RegExp(`^https://app.example/media/v1/inputs/${id}/(\\w{64})/(\\w{16}\\.png)$`).exec(image) ?? []
  expect(image).not.toContain(url.slice(24, 50))
  const read = async (...path: [string, string, string]) => {
    const input = await service.uploads?.openInput(...path)
    return input && { ...input, bytes: await new Response(input.file.read()).bytes() }
  }
  expect(await read(id, token, name)).toMatchObject({ owner: 'alice', bytes: picture })
  expect(await read(id, token.replace(/^./, 'x'), name)).toBeUndefined()
  expect(await read(id, token, name.replace('.png', '.jpg'))).toBeUndefined()
  expect(await read('gen_unknown', token, name)).toBeUndefined()
  await inTime(async () => expect((await service.get(id, 'alice')).phase).toBe('completed'))
  expect(await read(id, token, name)).toBeUndefined()
  await service.close()
})

test('the link of an upload stays valid after an ambiguous submit, because the vendor may read it later', async () => {
  const { upload, create, submitted, inputs, service, inTime } = uploadWorld(
    { plugins: [uploads({ baseUrl: 'https://app.example' })] },
    { submit: 'reset' },
  )
  const { id } = await create({ image: (await upload()).url })
  await submitted()
  const { image } = inputs.submits[0] as { readonly image: string }
  const [token = '', name = ''] = image.split('/').slice(-2)
  await inTime(async () =>
    expect(await service.get(id, 'alice')).toMatchObject({ error: { code: 'submit_ambiguous' } }),
  )
  const input = await service.uploads?.openInput(id, token, name)
  expect(await new Response(input?.file.read()).bytes()).toEqual(picture)
  await service.delete(id, 'alice')
  expect(await service.uploads?.openInput(id, token, name)).toBeUndefined()
  await service.close()
})

test.each(['http://app.example', 'https://localhost:3000', 'https://10.0.0.7/media'])(
  'a public base URL that no vendor can reach, %s, is not used for links',
  async (baseUrl) => {
    const { upload, create, submitted, inputs, service } = uploadWorld({ plugins: [uploads({ baseUrl })] })
    await create({ image: (await upload()).url })
    await submitted()
    expect(inputs.submits).toEqual([{ prompt: 'a', image: dataUri(picture, 'image/png') }])
    await service.close()
  },
)
