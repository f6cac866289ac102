import type { JsonObject, Provider, RunningTask } from '@genmount/core'
import { comfyApiProvider, type ComfyApiOptions } from '@genmount/provider-comfyui/api-v2'
import { fakeFile } from '@genmount/testing'
import { expect, onTestFinished, test } from 'vitest'
import { imageToVideo, textToImage } from '../comfyui/comfyui-shapes.ts'
import { models } from '../comfyui/comfyui-world.ts'
import { comfyApiFake, error, token } from './comfy-api-fake.ts'

const call = { signal: new AbortController().signal }
const image = `data:image/png;base64,${Buffer.from(fakeFile('image').bytes).toString('base64')}`

async function world(
  fakeOptions: Parameters<typeof comfyApiFake>[0] = {},
  options: Partial<ComfyApiOptions> = {},
) {
  const fake = await comfyApiFake({ polls: 0, ...fakeOptions })
  onTestFinished(() => fake.close())
  return { fake, provider: comfyApiProvider({ token, baseUrl: fake.origin, models, ...options }) }
}

const task = (input: JsonObject = {}, model = 'comfy-image', clientToken = 'one-job') => ({
  jobId: 'job',
  model,
  input: { prompt: 'a fox', ...input },
  clientToken,
})

async function running(provider: Provider, one = task()): Promise<RunningTask> {
  const report = await provider.submit(one, call)
  if (report.state !== 'running') throw new Error(JSON.stringify(report))
  return { ...one, handle: report.handle }
}
const endOf = async (provider: Provider, one?: ReturnType<typeof task>) =>
  provider.poll(await running(provider, one), call)

test('a job whose answer was lost is found among all jobs of the account, and never runs twice', async () => {
  const { fake, provider } = await world({ polls: 9 })
  for (let index = 0; index < 3; index++) await running(provider, task({}, 'comfy-image', `before-${index}`))
  fake.trouble('POST /api/v2/jobs', { after: 'reset' })
  await expect(provider.submit(task(), call)).rejects.toThrow()
  const lost = fake.last()
  for (let index = 0; index < 3; index++) await running(provider, task({}, 'comfy-image', `after-${index}`))
  expect(await provider.submit(task(), call)).toMatchObject({ state: 'running', handle: { job: lost.id } })
  // Another process looks for a job that its owner has canceled during the submit.
  const other = comfyApiProvider({ token, baseUrl: fake.origin, models })
  expect(await other.find!(task(), { ...call, submittedAt: Date.now() })).toMatchObject({
    handle: { job: lost.id },
  })
  expect(fake.ledger).toHaveLength(7)
  expect(JSON.stringify(lost.workflow)).not.toContain('one-job')
})

test('a job that the list does not show yet is looked for again', async () => {
  const { fake, provider } = await world()
  await running(provider)
  fake.trouble('GET /api/jobs', { instead: { json: { jobs: [], pagination: {} } } })
  expect(await provider.submit(task(), call)).toMatchObject({ state: 'unknown' })
  fake.trouble('GET /api/jobs', { instead: error(500, 'upstream_error', 'Down') })
  await expect(provider.submit(task(), call)).rejects.toThrow('500')
  expect(await provider.submit(task(), call)).toMatchObject({ state: 'running' })
  expect(fake.ledger).toHaveLength(1)
})

test('where jobs are not listed, a job whose answer was lost fails, says that it may be billed, and does not run twice', async () => {
  const { fake, provider } = await world({ listsJobs: false })
  await running(provider)
  expect(await provider.submit(task(), call)).toMatchObject({
    state: 'failed',
    code: 'provider_lost',
    message: expect.stringContaining('be billed'),
  })
  expect(await provider.find!(task(), call)).toMatchObject({ state: 'unknown' })
  expect(fake.ledger).toHaveLength(1)
})

test('a job whose submit never arrived is submitted again, with the same key', async () => {
  const { fake, provider } = await world()
  fake.trouble('POST /api/v2/jobs', { instead: 'reset' })
  await expect(provider.submit(task(), call)).rejects.toThrow()
  expect(await provider.find!(task(), call)).toMatchObject({ state: 'unknown' })
  expect(await endOf(provider)).toMatchObject({ state: 'succeeded', outputs: [{}] })
  expect(fake.ledger).toHaveLength(1)
})

test('the files of a job are uploaded, and the workflow refers to them', async () => {
  const { fake, provider } = await world()
  const report = await endOf(provider, task({ image, duration: 2 }, 'comfy-video'))
  expect(report).toMatchObject({ state: 'succeeded', outputs: [{ url: expect.stringContaining('.mp4') }] })
  const { info, __type: type } = fake.last().workflow['1']!.inputs['image'] as {
    info: { id: string }
    __type: string
  }
  expect(type).toBe('core/ASSET')
  expect(fake.assets.get(info.id)!.bytes).toEqual(fakeFile('image').bytes)
})

test('outputs at signed links stay links, and those that open only with the key are downloaded', async () => {
  const { provider } = await world()
  const inputs = { num_outputs: 2 }
  const link = { url: expect.stringMatching(/^https:\/\/storage\.googleapis\.com\/.*signature=1$/) }
  expect(await endOf(provider, task(inputs))).toMatchObject({ state: 'succeeded', outputs: [link, link] })
  const { provider: own } = await world({ servesFiles: true })
  const report = await endOf(own, task(inputs))
  expect(report).toMatchObject({
    state: 'succeeded',
    outputs: [0, 1].map((n) => ({ bytes: fakeFile('image', n).bytes })),
  })
})

test('a redirect of an output is followed without the key', async () => {
  const fetched: string[] = []
  const { fake, provider } = await world(
    { servesFiles: true },
    {
      fetchFile: async (url, limits) => {
        fetched.push(url, JSON.stringify(limits))
        return { body: new Blob([fakeFile('image').bytes as BlobPart]).stream() }
      },
    },
  )
  fake.trouble('/content', {
    instead: { status: 302, headers: { location: 'https://storage.googleapis.com/signed' } },
  })
  expect(await endOf(provider)).toMatchObject({ outputs: [{ bytes: fakeFile('image').bytes }] })
  expect(fetched[0]).toBe('https://storage.googleapis.com/signed')
  expect(fetched.join()).not.toContain(token)
})

test.each<[string, object, object]>([
  ['the place in the queue', { status: 'queued', queue_position: 3 }, { queuePosition: 3 }],
  ['what is done of it', { status: 'running', progress: { value: 0.42 } }, { progress: 0.42 }],
  ['that it stops', { status: 'canceling', progress: null }, { state: 'running' }],
])('while a job runs, its owner sees %s', async (_what, job, news) => {
  const { fake, provider } = await world()
  const one = await running(provider)
  fake.trouble('GET /api/v2/jobs', { instead: { json: job } })
  expect(await provider.poll(one, call)).toMatchObject({ state: 'running', ...news })
})

test.each<[string, object, object]>([
  [
    'a node',
    {
      status: 'failed',
      error: { code: 'node_execution_error', message: 'Out of memory', node_id: '3', class_type: 'KSampler' },
    },
    { code: 'provider_failed', message: 'KSampler (node 3): Out of memory' },
  ],
  [
    'moderation',
    {
      status: 'failed',
      error: { code: 'content_moderated', message: 'Your prompt was blocked by our moderation.' },
    },
    { code: 'content_policy' },
  ],
  [
    'a user of Comfy',
    { status: 'canceled' },
    { code: 'provider_failed', message: 'The job was canceled at Comfy.' },
  ],
  ['time', { status: 'expired' }, { code: 'provider_lost' }],
  ['a workflow without files', { status: 'succeeded', outputs: [] }, { code: 'output_invalid' }],
])('a job that is ended by %s fails and says so', async (_by, job, report) => {
  const { fake, provider } = await world()
  const one = await running(provider)
  fake.trouble('GET /api/v2/jobs', { instead: { json: { outputs: [], ...job } } })
  expect(await provider.poll(one, call)).toMatchObject({ state: 'failed', ...report })
})

test('neither the traceback of a node nor the log of a run reaches an owner', async () => {
  const { provider } = await world()
  const report = await endOf(provider, task({ prompt: 'refused' }))
  expect(report).toMatchObject({ state: 'failed', code: 'content_policy' })
  expect(JSON.stringify(report)).not.toContain('secret of the server')
})

test.each<[string, ReturnType<typeof error>, object]>([
  ['no credits', error(402, 'insufficient_credits', 'Out of credits.'), { isAccountAtFault: true }],
  ['a wrong key', error(401, 'unauthorized', 'No.'), { isAccountAtFault: true }],
  ['a stopped deployment', error(422, 'deployment_stopped', 'Stopped.'), { isAccountAtFault: true }],
  ['a full queue', error(429, 'queue_full', 'Full.'), { state: 'refused' }],
  ['a deployment that starts', error(429, 'deployment_not_ready', 'Wait.'), { state: 'refused' }],
])('a submit that is refused for %s says so, and nothing runs', async (_why, reply, report) => {
  const { fake, provider } = await world()
  fake.trouble('POST /api/v2/jobs', { instead: reply })
  expect(await provider.submit(task(), call)).toMatchObject(report)
  expect(fake.ledger).toHaveLength(0)
})

test('a workflow that Comfy refuses is refused in the words of its nodes, and may be submitted again', async () => {
  const { fake, provider } = await world()
  expect(await provider.submit(task({ steps: 0 }), call)).toMatchObject({
    code: 'provider_rejected',
    message: 'The workflow is not valid. node 3: steps: Value 0 smaller than min of 1',
  })
  expect(await endOf(provider)).toMatchObject({ state: 'succeeded' })
  expect(fake.ledger).toHaveLength(1)
})

test('a canceled job stops at Comfy', async () => {
  const { provider } = await world({ polls: 9 })
  const one = await running(provider)
  await provider.poll(one, call)
  await provider.cancel!(one, call)
  expect(await provider.poll(one, call)).toMatchObject({
    state: 'failed',
    message: 'The job was canceled at Comfy.',
  })
})

test.each<[string, object, number | undefined]>([
  ['for each output', { price: 0.04 }, 0.08],
  ['for each second of computing', { price: 0.01, priceUnit: 'second' }, 0.08],
  ['nowhere', {}, undefined],
])('the cost of a job is what the price says %s', async (_how, price, usd) => {
  const inputs = { prompt: { node: '6', field: 'text' }, num_outputs: { node: '5', field: 'batch_size' } }
  const it = { workflow: textToImage, outputKind: 'image', inputs, ...price } as const
  const { provider } = await world({}, { models: { it } })
  expect(provider.models[0]!.isCostKnown).toBe(usd !== undefined)
  const report = await endOf(provider, task({ num_outputs: 2 }, 'it'))
  expect('costUsd' in report ? report.costUsd : undefined).toBe(usd)
})

test('only the files of the nodes that the app names are outputs, in their order', async () => {
  const it = { ...models['comfy-image']!, outputNodes: ['12', '9'] }
  const workflow = { ...textToImage, '12': { class_type: 'SaveText', inputs: {} } }
  const { provider } = await world({}, { models: { it: { ...it, workflow } } })
  const report = await endOf(provider, task({}, 'it'))
  const outputs = ('outputs' in report && report.outputs) || []
  expect(outputs.map((output) => 'url' in output && /\.(\w+)\?/.exec(output.url)?.[1])).toEqual([
    'png',
    'txt',
  ])
})

test('the key for partner nodes goes with the workflow, and is not in what an owner reads', async () => {
  const partnerNodesKey = 'comfyui-partner-0123456789'
  const { fake, provider } = await world({}, { partnerNodesKey })
  await running(provider)
  expect(fake.last().body['extra_data']).toEqual({ api_key_comfy_org: partnerNodesKey })
  fake.trouble('POST /api/v2/jobs', { instead: error(422, 'invalid_workflow', `Bad ${partnerNodesKey}`) })
  const report = await provider.submit(task({}, 'comfy-image', 'another'), call)
  expect(report).toMatchObject({ state: 'failed', message: 'Bad [secret]' })
})

test("Comfy's own hosts need a key, and other servers may have none", () => {
  const film = {
    workflow: imageToVideo,
    outputKind: 'video',
    inputs: { prompt: { node: '2', field: 'text' } },
  } as const
  const make = (options: object) => () => comfyApiProvider({ models: { film }, ...options })
  expect(make({})).toThrow('comfyApiProvider: token is missing; set COMFY_API_KEY')
  expect(make({ baseUrl: 'https://dep-1.run.comfy.app' })).toThrow('token is missing')
  expect(make({ baseUrl: 'http://127.0.0.1:8189' })).not.toThrow()
  expect(make({ token })).not.toThrow()
})
