import { expect, test, vi } from 'vitest'
import { uploads } from '@genmount/core/uploads'
import {
  createGenerationService,
  type FileStore,
  type JsonObject,
  memoryFileStore,
  routeModel,
} from '@genmount/core'
import { fakeProvider, fakeWorld, quietLog } from '@genmount/testing'
import * as v from 'valibot'
import { dataUri, film, models, picture, uploadWorld } from '../test-kit/upload-world.ts'

const day = 24 * 3_600_000

test('a provider gets the bytes of an upload, and the owner sees the reference', async () => {
  const { upload, create, submitted, inputs, service, jobs, inTime } = uploadWorld()
  const [image, clip] = [await upload(), await upload(film)]
  const { id, shownInput: shown } = await create({ image: image.url, parts: [{ clip: clip.url }, image.url] })
  expect(shown).toEqual({ prompt: 'a', image: image.url, parts: [{ clip: clip.url }, image.url] })
  await submitted()
  const given = dataUri(picture, 'image/png')
  expect(inputs.submits).toEqual([
    { prompt: 'a', image: given, parts: [{ clip: dataUri(film, 'video/mp4') }, given] },
  ])
  expect((await jobs.get(id))?.input).toEqual(shown)
  await inTime(() => expect(inputs.polls.length).toBeGreaterThan(0))
  expect(JSON.stringify(inputs.polls)).not.toMatch(/upload:|data:/)
  await service.close()
})

test('unknown, foreign and expired uploads are refused alike, with the name of the field', async () => {
  const { upload, create, service, clock, inputs } = uploadWorld({
    plugins: [uploads({ retentionHours: 1 })],
  })
  const foreign = await upload(picture, 'bob')
  const deleted = await upload()
  await service.uploads?.delete(deleted.id, 'alice')
  const old = await upload()
  await clock.advance(3_600_000)
  const longLived = await upload()
  const unknown = longLived.url.replace(/[0-9a-f]{8}\.png/, '00000000.png')
  const otherType = longLived.url.replace('.png', '.jpg')
  const wrong = [foreign, deleted, old].map(({ url }) => url)
  for (const url of [...wrong, unknown, otherType, 'upload://', 'upload://../secret', `${longLived.url}?x`])
    await expect(create({ parts: { first: [url] } }), url).rejects.toMatchObject({
      code: 'invalid_request',
      param: 'parts.first.0',
      message: 'parts.first.0: There is no such upload, or it has expired.',
    })
  expect(inputs.submits).toEqual([])
  await service.close()
})

test('an upload that expires before the deadline of the job is refused', async () => {
  const { upload, create, service, clock } = uploadWorld({
    plugins: [uploads({ retentionHours: 1 })],
    deadlineMs: 1_800_000,
  })
  const { url } = await upload()
  await clock.advance(1_800_000)
  await create({ image: url })
  await clock.advance(1)
  await expect(create({ image: url })).rejects.toMatchObject({ code: 'invalid_request', param: 'image' })
  await service.close()
})

test('the schema of a model validates the data URI or link that the provider will get for an upload', async () => {
  const { upload, create, service } = uploadWorld()
  await create({ image: (await upload()).url }, 'alice', 'strict')
  const refused = create({ image: (await upload(film)).url }, 'alice', 'strict')
  await expect(refused).rejects.toMatchObject({ code: 'invalid_request', param: 'image' })
  await service.close()
  const linked = uploadWorld({ plugins: [uploads({ baseUrl: 'https://app.example' })] })
  await linked.create({ image: (await linked.upload()).url }, 'alice', 'strict')
  await linked.service.close()
})

test('an upload that is too large for a data URI is refused before anything is spent', async () => {
  const { upload, create, service, inputs } = uploadWorld()
  const large = new Uint8Array(11 * 1024 * 1024)
  large.set(picture)
  const [one, other] = [await upload(large), await upload(large)]
  await expect(create({ image: one.url, mask: other.url })).rejects.toMatchObject({
    code: 'invalid_request',
    param: 'image',
    message: expect.stringContaining('20971520'),
  })
  expect(inputs.submits).toEqual([])
  await service.close()
})

test('an input may refer to 20 uploads, each of which is read once', async () => {
  const memory = memoryFileStore()
  const opened: string[] = []
  const files: FileStore = { ...memory, open: async (key) => (opened.push(key), memory.open?.(key)) }
  const { upload, create, service } = uploadWorld({
    files,
    plugins: [uploads({ baseUrl: 'https://app.example' })],
  })
  const urls = await Promise.all(Array.from({ length: 8 }, () => upload()))
  const more = urls.map(({ url }) => url)
  opened.length = 0
  await expect(
    create({ images: Array.from({ length: 21 }, (_, n) => more[0]?.replace(/\w\w\.png/, `${n + 10}.png`)) }),
  ).rejects.toMatchObject({ code: 'invalid_request', param: 'input' })
  expect(opened).toEqual([])
  const job = await create({ images: [...more, ...more, ...more] })
  expect(job.shownInput['images']).toHaveLength(24)
  await service.close()
})

test('a job whose upload is deleted before its submit fails with a reason and costs nothing', async () => {
  let deleteIt = async () => {}
  const { upload, create, inputs, service, inTime } = uploadWorld({ admit: () => deleteIt() })
  const { url, id } = await upload()
  deleteIt = async () => service.uploads?.delete(id, 'alice')
  const job = await create({ image: url })
  await inTime(async () =>
    expect(await service.get(job.id, 'alice')).toMatchObject({
      phase: 'failed',
      error: { code: 'input_fetch_failed', message: expect.stringContaining(url) },
      costUsd: 0,
    }),
  )
  expect(inputs.submits).toEqual([])
  await service.close()
})

test('a submit waits while the file store of its upload does not answer, and is then made once', async () => {
  const memory = memoryFileStore()
  let isAway = false
  const files: FileStore = {
    ...memory,
    open: (key) => (isAway ? Promise.reject(new Error('away')) : (memory.open?.(key) ?? Promise.reject())),
  }
  const { upload, create, inputs, inTime, service, clock } = uploadWorld({
    files,
    admit: () => void (isAway = true),
  })
  await create({ image: (await upload()).url })
  await clock.advance(5000)
  expect(inputs.submits).toEqual([])
  isAway = false
  await inTime(() => expect(inputs.submits).toHaveLength(1))
  const { url } = await upload()
  isAway = true
  await expect(create({ image: url })).rejects.toMatchObject({ code: 'store_unavailable' })
  await service.close()
})

test('of many jobs with a large upload, only a few hold its bytes at the same time, and all get them', async () => {
  const answers: (() => void)[] = []
  const { clock, provider, files, inTime } = uploadWorld()
  const submit: typeof provider.submit = async (task, call) => {
    await new Promise<void>((resolve) => void answers.push(resolve))
    return provider.submit(task, call)
  }
  const providers = [{ ...provider, submit, maxConcurrentJobs: 12 }]
  const service = createGenerationService({ providers, clock, files, plugins: [uploads()], log: quietLog() })
  const large = new Uint8Array(20 * 1024 * 1024)
  large.set(picture)
  const image = (await service.uploads?.store('alice', new Blob([large]).stream()))?.url
  for (let count = 0; count < 10; count++)
    await service.create({ owner: 'alice', model: 'loose', input: { prompt: 'a', image } })
  await vi.waitFor(() => expect(answers.length).toBe(4), 20_000)
  await clock.advance(5000)
  expect(answers.length).toBe(4)
  await inTime(() => {
    for (const answer of answers) answer()
    expect(provider.ledger).toHaveLength(10)
  })
  await service.close()
})

test('a route with another schema gets the upload as well', async () => {
  const inputs: unknown[] = []
  const provider = fakeProvider({ models, behave: (task) => (inputs.push(task.input), {}) })
  const mapInput = ({ picture: image }: JsonObject) => ({ image: image ?? null })
  const routes = [{ provider, model: 'strict', mapInput }]
  const routed = routeModel({ id: 'routed', routes, input: v.looseObject({ picture: v.string() }) })
  const service = createGenerationService({ providers: [routed], plugins: [uploads()], log: quietLog() })
  const stored = await service.uploads?.store('alice', new Blob([picture]).stream())
  await service.create({ owner: 'alice', model: 'routed', input: { picture: stored?.url } })
  await vi.waitFor(() => expect(inputs).toEqual([{ image: dataUri(picture, 'image/png') }]), 10_000)
  await service.close()
})

test('without the option uploads, upload:// is an ordinary text', async () => {
  const made = fakeWorld({ models: [models[0]] })
  expect(made.service.uploads).toBeUndefined()
  const { job } = await made.service.create({
    owner: 'alice',
    model: 'loose',
    input: { prompt: 'upload://up_1' },
  })
  expect(job.shownInput).toEqual({ prompt: 'upload://up_1' })
  await made.service.close()
})

test('an upload can be used by a later process over the same file store', async () => {
  const first = uploadWorld({ plugins: [uploads({ retentionHours: 24 })] })
  const { url } = await first.upload()
  await first.service.close()
  await first.clock.advance(day - 3_600_000)
  const next = first.serviceOver({ files: first.files })
  const { job } = await next.create({ owner: 'alice', model: 'loose', input: { prompt: 'a', image: url } })
  await first.inTime(async () => expect((await next.get(job.id, 'alice')).phase).toBe('completed'))
  await next.close()
})
