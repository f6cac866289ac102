import { expect, test, vi } from 'vitest'
import {
  createGenerationService,
  type FileStore,
  type JsonObject,
  memoryFileStore,
  routeModel,
} from '@genmount/core'
import { type FakeBehaviour, fakeFile, fakeProvider, fakeWorld, quietLog } from '@genmount/testing'
import * as v from 'valibot'

const picture = fakeFile('image').bytes
const film = fakeFile('video').bytes
const dataUri = (bytes: Uint8Array, type: string) =>
  `data:${type};base64,${Buffer.from(bytes).toString('base64')}`
const day = 24 * 3_600_000

const input = v.looseObject({ prompt: v.string() })
const models = [
  { id: 'loose', outputKind: 'image', input },
  // Takes pictures as URLs only.
  {
    id: 'strict',
    outputKind: 'image',
    input: v.looseObject({ image: v.pipe(v.string(), v.regex(/^https:\/\/|^data:image\/png;/)) }),
  },
] as const

/** A world whose provider records the inputs of its submits and polls. */
function world(options: Parameters<typeof fakeWorld>[1] = {}, behave: FakeBehaviour = { delayMs: 30_000 }) {
  const inputs = { submits: [] as object[], polls: [] as object[] }
  const files = options.files ?? memoryFileStore()
  const made = fakeWorld(
    { models, behave: () => behave },
    {
      uploads: {},
      ...options,
      files,
    },
  )
  const { submit, poll } = made.provider
  const provider = {
    submit: (...[task, call]: Parameters<typeof submit>) => (
      inputs.submits.push(task.input),
      submit(task, call)
    ),
    poll: (...[task, call]: Parameters<typeof poll>) => (inputs.polls.push(task.input), poll(task, call)),
  }
  const service = made.serviceOver({ uploads: {}, ...options, files, provider })
  const upload = async (bytes: Uint8Array<ArrayBuffer> = picture, owner = 'alice') => {
    const stored = await service.uploads?.store(owner, new Blob([bytes]).stream())
    if (!stored) throw new Error('The service takes no uploads.')
    return stored
  }
  const create = async (body: object, owner = 'alice', model = 'loose') =>
    (await service.create({ owner, model, input: { prompt: 'a', ...body } })).job
  /** Advances the clock until the check holds. Hashes take real time, which the manual clock does not control. */
  const inTime = (check: () => unknown) =>
    vi.waitFor(async () => {
      await made.clock.advance(5000)
      await check()
    }, 20_000)
  const submitted = () => vi.waitFor(() => expect(inputs.submits).toHaveLength(1), 20_000)
  return { ...made, service, files, inputs, upload, create, submitted, inTime }
}

test('a provider gets the bytes of an upload, and its owner is shown the reference', async () => {
  const { upload, create, submitted, inputs, service, jobs, inTime } = world()
  const [image, clip] = [await upload(), await upload(film)]
  const { id, input: shown } = await create({ image: image.url, parts: [{ clip: clip.url }, image.url] })
  expect(shown).toEqual({ prompt: 'a', image: image.url, parts: [{ clip: clip.url }, image.url] })
  await submitted()
  const given = dataUri(picture, 'image/png')
  expect(inputs.submits).toEqual([
    { prompt: 'a', image: given, parts: [{ clip: dataUri(film, 'video/mp4') }, given] },
  ])
  expect((await jobs.get(id))?.task).toEqual(shown)
  await inTime(() => expect(inputs.polls.length).toBeGreaterThan(0))
  expect(JSON.stringify(inputs.polls)).not.toMatch(/upload:|data:/)
  await service.close()
})

test('an unknown, a foreign and an expired upload are refused alike, by the name of the field', async () => {
  const { upload, create, service, clock, inputs } = world({ uploads: { retentionHours: 1 } })
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

test('an upload that expires before the time for the job is over is refused', async () => {
  const { upload, create, service, clock } = world({ uploads: { retentionHours: 1 }, deadlineMs: 1_800_000 })
  const { url } = await upload()
  await clock.advance(1_800_000)
  await create({ image: url })
  await clock.advance(1)
  await expect(create({ image: url })).rejects.toMatchObject({ code: 'invalid_request', param: 'image' })
  await service.close()
})

test('a schema is asked about what the provider will get: type and length of a data URI, or a link', async () => {
  const { upload, create, service } = world()
  await create({ image: (await upload()).url }, 'alice', 'strict')
  const refused = create({ image: (await upload(film)).url }, 'alice', 'strict')
  await expect(refused).rejects.toMatchObject({ code: 'invalid_request', param: 'image' })
  await service.close()
  const linked = world({ callbackBaseUrl: 'https://app.example' })
  await linked.create({ image: (await linked.upload()).url }, 'alice', 'strict')
  await linked.service.close()
})

test('uploads that are too large for a data URI are refused before anything is spent', async () => {
  const { upload, create, service, inputs } = world()
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

test('an input may refer to 20 uploads, each of which is looked for once', async () => {
  const memory = memoryFileStore()
  const opened: string[] = []
  const files: FileStore = { ...memory, open: async (key) => (opened.push(key), memory.open?.(key)) }
  const { upload, create, service } = world({ files, callbackBaseUrl: 'https://app.example' })
  const urls = await Promise.all(Array.from({ length: 8 }, () => upload()))
  const more = urls.map(({ url }) => url)
  opened.length = 0
  await expect(
    create({ images: Array.from({ length: 21 }, (_, n) => more[0]?.replace(/\w\w\.png/, `${n + 10}.png`)) }),
  ).rejects.toMatchObject({ code: 'invalid_request', param: 'input' })
  expect(opened).toEqual([])
  const job = await create({ images: [...more, ...more, ...more] })
  expect(job.input['images']).toHaveLength(24)
  await service.close()
})

test('a file store with links gives the provider a link, at most to the end of the upload', async () => {
  const memory = memoryFileStore()
  const link = async (key: string, untilAt: number) => `https://bucket.example/${key}?until=${untilAt}`
  const { put, delete: remove, list } = memory
  const { upload, create, submitted, inputs, service, clock } = world({
    files: { put, delete: remove, link, ...(list && { list }) },
    uploads: { retentionHours: 1 },
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

test('a service with a public URL gives the provider a link of its own, which ends with the job', async () => {
  const { upload, create, submitted, inputs, service, inTime } = world({
    callbackBaseUrl: 'https://app.example/media',
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

test('the link goes on working when the answer to the submit was lost, because the vendor may have the task and read its input later', async () => {
  const { upload, create, submitted, inputs, service, inTime } = world(
    { callbackBaseUrl: 'https://app.example' },
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
  'a public URL that no vendor can read, %s, is not used',
  async (callbackBaseUrl) => {
    const { upload, create, submitted, inputs, service } = world({ callbackBaseUrl })
    await create({ image: (await upload()).url })
    await submitted()
    expect(inputs.submits).toEqual([{ prompt: 'a', image: dataUri(picture, 'image/png') }])
    await service.close()
  },
)

test('a job whose upload is deleted before its submit fails in words, and costs nothing', async () => {
  let deleteIt = async () => {}
  const { upload, create, inputs, service, inTime } = world({ admit: () => deleteIt() })
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

test('while the file store does not answer, a submit waits for it and is then made once', async () => {
  const memory = memoryFileStore()
  let isAway = false
  const files: FileStore = {
    ...memory,
    open: (key) => (isAway ? Promise.reject(new Error('away')) : (memory.open?.(key) ?? Promise.reject())),
  }
  const { upload, create, inputs, inTime, service, clock } = world({
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

test('however many jobs refer to a large upload, only a few hold its bytes at the same time, and all get them', async () => {
  const answers: (() => void)[] = []
  const { clock, provider, files, inTime } = world()
  const submit: typeof provider.submit = async (task, call) => {
    await new Promise<void>((resolve) => void answers.push(resolve))
    return provider.submit(task, call)
  }
  const providers = [{ ...provider, submit, maxConcurrentJobs: 12 }]
  const service = createGenerationService({ providers, clock, files, uploads: {}, log: quietLog() })
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
}, 60_000)

test('a route with another schema gets the upload, too', async () => {
  const inputs: unknown[] = []
  const provider = fakeProvider({ models, behave: (task) => (inputs.push(task.input), {}) })
  const mapInput = ({ picture: image }: JsonObject) => ({ image: image ?? null })
  const routes = [{ provider, model: 'strict', mapInput }]
  const routed = routeModel({ id: 'routed', routes, input: v.looseObject({ picture: v.string() }) })
  const service = createGenerationService({ providers: [routed], uploads: {}, log: quietLog() })
  const stored = await service.uploads?.store('alice', new Blob([picture]).stream())
  await service.create({ owner: 'alice', model: 'routed', input: { picture: stored?.url } })
  await vi.waitFor(() => expect(inputs).toEqual([{ image: dataUri(picture, 'image/png') }]), 10_000)
  await service.close()
})

test('without the option a reference is a text like any other', async () => {
  const made = fakeWorld({ models: [models[0]] })
  expect(made.service.uploads).toBeUndefined()
  const { job } = await made.service.create({
    owner: 'alice',
    model: 'loose',
    input: { prompt: 'upload://up_1' },
  })
  expect(job.input).toEqual({ prompt: 'upload://up_1' })
  await made.service.close()
})

test('an upload is used by any later process over the same files', async () => {
  const first = world({ uploads: { retentionHours: 24 } })
  const { url } = await first.upload()
  await first.service.close()
  await first.clock.advance(day - 3_600_000)
  const next = first.serviceOver({ files: first.files })
  const { job } = await next.create({ owner: 'alice', model: 'loose', input: { prompt: 'a', image: url } })
  await first.inTime(async () => expect((await next.get(job.id, 'alice')).phase).toBe('completed'))
  await next.close()
})
