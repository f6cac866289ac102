import { fakeFile } from '@genmount/testing'
import type { OpenaiInterfaceOptions } from '@genmount/openai-interface'
import OpenAI, { toFile } from 'openai'
import { expect, test, vi } from 'vitest'
import { openaiWorld } from './openai-world.ts'

const png = fakeFile('image').bytes
const picture = (name: string) => toFile(png, name, { type: 'image/png' })
const isPng = (base64 = '') => Buffer.from(base64, 'base64').subarray(1, 4).toString() === 'PNG'

test("OpenAI's SDK lists the models and reads one, whose name may have a slash or be an alias", async () => {
  const { sdk } = await openaiWorld({ service: { aliases: { 'black/painter': 'painter' } } })
  const ids: string[] = []
  for await (const { id } of sdk.models.list()) ids.push(id)
  expect(ids).toEqual(['fake-image', 'fake-video', 'painter', 'filmer', 'black/painter'])
  expect(await sdk.models.retrieve('black/painter')).toMatchObject({ id: 'black/painter', object: 'model' })
  await expect(sdk.models.retrieve('none')).rejects.toThrow(OpenAI.NotFoundError)
})

test("OpenAI's SDK gets a picture as base64, and says what was chosen", async () => {
  const { sdk, service } = await openaiWorld()
  const answer = await sdk.images.generate({
    model: 'painter',
    prompt: 'a fox',
    size: '1536x1024',
    quality: 'high',
    output_format: 'webp',
    background: 'opaque',
    moderation: 'low',
    user: 'user-7',
  })
  expect(answer.data?.map(({ b64_json }) => isPng(b64_json))).toEqual([true])
  expect(answer).toMatchObject({ size: '3:2', quality: 'high', output_format: 'png' })
  expect(Math.abs(answer.created - Date.now() / 1000)).toBeLessThan(60)
  const { jobs } = await service.list({ owner: 'alice' })
  expect(jobs[0]!.shownInput).toEqual({
    prompt: 'a fox',
    aspect_ratio: '3:2',
    quality: 'high',
    format: 'webp',
  })
})

test("OpenAI's SDK gets a picture as a link that works without a key", async () => {
  const { sdk } = await openaiWorld()
  const { data } = await sdk.images.generate({ model: 'painter', prompt: 'a fox', response_format: 'url' })
  const response = await fetch(data![0]!.url!)
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/png'])
})

test('four pictures of a model that makes one in a job are four jobs of one group and one answer', async () => {
  const { sdk, service, studio } = await openaiWorld()
  const { data } = await sdk.images.generate({ model: 'painter', prompt: 'a fox', n: 4 })
  expect(data).toHaveLength(4)
  expect(studio.ledger).toHaveLength(4)
  const { jobs } = await service.list({ owner: 'alice' })
  expect(new Set(jobs.map(({ metadata }) => metadata?.['group'])).size).toBe(1)
  expect(jobs.map(({ metadata }) => metadata?.['part']).toSorted()).toEqual([
    '1 of 4',
    '2 of 4',
    '3 of 4',
    '4 of 4',
  ])
})

test('six pictures of a model that makes up to four in a job are two jobs', async () => {
  const { sdk, fake } = await openaiWorld()
  const { data } = await sdk.images.generate({ model: 'fake-image', prompt: 'a fox', n: 6 })
  expect([data?.length, fake.ledger.length]).toEqual([6, 2])
})

test('of several pictures of which one fails, the client gets the others', async () => {
  let submits = 0
  const behave = () => (++submits === 2 ? { failure: { code: 'provider_failed' as const } } : {})
  const { sdk } = await openaiWorld({ studio: { behave } })
  const { data } = await sdk.images.generate({ model: 'painter', prompt: 'a fox', n: 3 })
  expect(data).toHaveLength(2)
})

test('two pictures are edited with a mask, which arrive at the provider as they were sent', async () => {
  const { sdk, studio, service } = await openaiWorld({ studio: { behave: [{ delayMs: 0 }] } })
  const inputs: unknown[] = []
  const submit = studio.submit.bind(studio)
  vi.spyOn(studio, 'submit').mockImplementation((task, call) => (inputs.push(task.input), submit(task, call)))
  const { data } = await sdk.images.edit({
    model: 'painter',
    prompt: 'add a hat',
    image: [await picture('a.png'), await picture('b.png')],
    mask: await picture('mask.png'),
    n: 1,
    size: '1024x1024',
  })
  expect(isPng(data![0]!.b64_json)).toBe(true)
  const uri = `data:image/png;base64,${Buffer.from(png).toString('base64')}`
  const { jobs } = await service.list({ owner: 'alice' })
  expect(jobs[0]!.shownInput).toMatchObject({ prompt: 'add a hat', aspect_ratio: '1:1' })
  expect(inputs).toEqual([expect.objectContaining({ image: [uri, uri], mask: uri })])
})

test.each(['edits', 'generations'])('a picture is edited by JSON at images/%s, by its URL', async (path) => {
  const { origin, service } = await openaiWorld()
  const response = await fetch(`${origin}/openai/v1/images/${path}`, {
    method: 'POST',
    headers: { authorization: 'Bearer alice-key', 'content-type': 'application/json' },
    body: JSON.stringify({
      model: 'painter',
      prompt: 'a hat',
      images: [{ image_url: 'https://pictures.example/a.png' }],
    }),
  })
  expect(response.status).toBe(200)
  const { jobs } = await service.list({ owner: 'alice' })
  expect(jobs[0]!.shownInput).toEqual({ prompt: 'a hat', image: 'https://pictures.example/a.png' })
})

test('a stream has the previews that the provider gives, and then the picture', async () => {
  const { sdk } = await openaiWorld()
  const stream = await sdk.images.generate({
    model: 'fake-image',
    prompt: 'a fox',
    stream: true,
    partial_images: 2,
    ...({ delay_ms: 4000, preview: true } as object),
  })
  const events: string[] = []
  for await (const event of stream) {
    events.push(event.type)
    expect(event.b64_json.length).toBeGreaterThan(10)
  }
  expect(events.at(-1)).toBe('image_generation.completed')
  expect(events.filter((type) => type === 'image_generation.partial_image').length).toBeGreaterThan(0)
})

test('a stream of an edit that fails ends with the error, which the SDK throws', async () => {
  const failure = { code: 'content_policy' as const, message: 'No foxes.' }
  const { sdk } = await openaiWorld({ studio: { behave: [{ failure }] } })
  const stream = await sdk.images.edit({
    model: 'painter',
    prompt: 'a',
    image: await picture('a.png'),
    stream: true,
  })
  const read = async () => {
    for await (const event of stream) expect(event.type).toBe('never')
  }
  await expect(read()).rejects.toMatchObject({ code: 'moderation_blocked' })
})

test('a field that only the model has is its own, and one that neither has is ignored and logged once', async () => {
  const { sdk, service, log } = await openaiWorld()
  const body = { model: 'painter', prompt: 'a fox', seed: 7, steps: 4, size: 'auto' as const }
  await sdk.images.generate(body)
  await sdk.images.generate(body)
  const { jobs } = await service.list({ owner: 'alice' })
  expect(jobs[0]!.shownInput).toEqual({ prompt: 'a fox', seed: 7 })
  expect(log.warnings.filter((line) => JSON.stringify(line).includes('steps'))).toHaveLength(1)
})

test('a number of the model that comes in a form is a number', async () => {
  const { sdk, service } = await openaiWorld()
  const edit = { model: 'painter', prompt: 'a hat', image: await picture('a.png') }
  await sdk.images.edit({ ...edit, ...({ seed: 7 } as object) })
  const { jobs } = await service.list({ owner: 'alice' })
  expect(jobs[0]!.shownInput).toMatchObject({ prompt: 'a hat', seed: 7 })
  await expect(sdk.images.edit({ ...edit, ...({ seed: 'seven' } as object) })).rejects.toMatchObject({
    status: 400,
    param: 'seed',
  })
})

test('with unknownFields refuse, a field that neither OpenAI nor the model has is refused', async () => {
  const { sdk } = await openaiWorld({ openai: { unknownFields: 'refuse' } })
  const body = { model: 'painter', prompt: 'a fox', steps: 4 }
  await expect(sdk.images.generate(body)).rejects.toMatchObject({ status: 400, param: 'steps' })
  expect((await sdk.images.generate({ model: 'painter', prompt: 'a', style: 'vivid' })).data).toHaveLength(1)
})

test('the answer has the tokens and the rewritten prompts, of all jobs together, if the vendor says them', async () => {
  const outputs = [{ bytes: png, revisedPrompt: 'a red fox' }]
  const tokens = { input: 12, imageInput: 2, output: 100 }
  const { sdk } = await openaiWorld({ studio: { behave: () => ({ outputs, tokens }) } })
  const { data, usage } = await sdk.images.generate({ model: 'painter', prompt: 'a fox', n: 2 })
  expect(data?.map(({ revised_prompt }) => revised_prompt)).toEqual(['a red fox', 'a red fox'])
  expect(usage).toEqual({
    input_tokens: 24,
    input_tokens_details: { image_tokens: 4, text_tokens: 20 },
    output_tokens: 200,
    output_tokens_details: { image_tokens: 200, text_tokens: 0 },
    total_tokens: 224,
  })
  const usages: unknown[] = []
  const stream = await sdk.images.generate({ model: 'painter', prompt: 'a fox', stream: true })
  for await (const event of stream) if (event.type === 'image_generation.completed') usages.push(event.usage)
  expect(usages).toMatchObject([{ input_tokens: 12, total_tokens: 112 }])
})

test('an answer says nothing that it does not know, as programs check its fields', async () => {
  const { sdk } = await openaiWorld()
  const answer = await sdk.images.generate({
    model: 'painter',
    prompt: 'a fox',
    size: 'auto',
    quality: 'auto',
  })
  expect(Object.keys(answer)).toEqual(['created', 'output_format', 'data'])
  expect(Object.keys(answer.data![0]!)).toEqual(['b64_json'])
})

test('a client that asks for DALL-E gets links, as OpenAI gave them, unless it wants base64', async () => {
  const { sdk } = await openaiWorld({ service: { aliases: { 'dall-e-3': 'painter' } } })
  const fox = { model: 'dall-e-3', prompt: 'a fox', quality: 'hd', style: 'vivid' } as const
  expect((await sdk.images.generate(fox)).data![0]!.url).toMatch(/^http/)
  const { data } = await sdk.images.generate({ ...fox, response_format: 'b64_json' })
  expect(isPng(data![0]!.b64_json)).toBe(true)
})

test('markup on a picture is refused by a model that takes none, and the name of a user goes to no vendor', async () => {
  const { sdk, service } = await openaiWorld({ openai: { unknownFields: 'refuse' } })
  const edit = { model: 'painter', prompt: 'a hat', image: await picture('a.png') }
  await expect(sdk.images.edit({ ...edit, markup: await picture('m.png') })).rejects.toMatchObject({
    status: 400,
    param: 'markup',
  })
  const named = { safety_identifier: 'user-7', complexity: 'high', frame_count: 3 } as const
  await sdk.images.edit({ ...edit, ...named })
  const { jobs } = await service.list({ owner: 'alice' })
  expect(Object.keys(jobs[0]!.shownInput).toSorted()).toEqual(['image', 'prompt'])
})

test('a picture that is only at the vendor comes as its link, and as base64 if the app gives a fetch', async () => {
  const outputs = [{ url: 'https://vendor.example/1.png' }]
  const studio = { behave: [{ outputs }] as const }
  const generate = async (openai?: OpenaiInterfaceOptions) => {
    const { sdk } = await openaiWorld({ studio, ...(openai && { openai }) })
    return (await sdk.images.generate({ model: 'painter', prompt: 'a fox' })).data
  }
  expect(await generate()).toEqual(outputs)
  const asked: string[] = []
  const fetch: OpenaiInterfaceOptions['fetch'] = async (url) => (
    asked.push(url),
    { body: new Blob([png]).stream() }
  )
  expect((await generate({ fetch }))?.map(({ b64_json }) => isPng(b64_json))).toEqual([true])
  expect(asked).toEqual(['https://vendor.example/1.png'])
})
