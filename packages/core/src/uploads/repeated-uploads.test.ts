import { expect, test, vi } from 'vitest'
import { memoryFileStore } from '@genmount/core'
import { fakeFile, fakeWorld } from '@genmount/testing'
import * as v from 'valibot'

const models = [{ id: 'loose', outputKind: 'image', input: v.looseObject({}) }] as const
const mebibyte = 1024 * 1024

function setUp(changes: Parameters<typeof fakeWorld>[1] = {}) {
  const sent: string[] = []
  const made = fakeWorld({ models, behave: () => ({ delayMs: 30_000 }) })
  const service = made.serviceOver({
    uploads: {},
    files: memoryFileStore(),
    provider: {
      submit: (task, call) => (sent.push(JSON.stringify(task.input)), made.provider.submit(task, call)),
    },
    ...changes,
  })
  const create = async (input: object) =>
    (await service.create({ owner: 'alice', model: 'loose', input: { ...input } })).job
  async function upload(bytes: number) {
    const film = new Uint8Array(bytes)
    film.set(fakeFile('image').bytes.subarray(0, bytes))
    return (await service.uploads!.store('alice', new Blob([film]).stream())).url
  }
  return { ...made, service, create, upload, sent }
}

test('an upload to which an input refers again and again counts each time, where the provider gets its bytes', async () => {
  const { service, create, upload, sent } = setUp()
  const url = await upload(3 * mebibyte)
  await expect(create({ images: Array(7).fill(url) })).rejects.toMatchObject({
    code: 'invalid_request',
    param: 'images.0',
    message: expect.stringContaining(`have ${21 * mebibyte} bytes`),
  })
  await create({ images: Array(6).fill(url) })
  await vi.waitFor(() => expect(sent).toHaveLength(1), 20_000)
  expect(sent[0]?.length).toBeLessThan(28 * mebibyte)
  await service.close()
})

test('an input may refer to one upload as often as it likes, where the provider gets a link', async () => {
  const { service, create, upload } = setUp({ callbackBaseUrl: 'https://app.example' })
  const url = await upload(3 * mebibyte)
  expect((await create({ images: Array(1000).fill(url) })).phase).not.toBe('failed')
  await service.close()
})
