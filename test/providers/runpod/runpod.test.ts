import type { JsonObject, ProviderReport } from '@genmount/core'
import { type RunpodModel, runpodProvider, type RunpodProviderOptions } from '@genmount/provider-runpod'
import { fakeFile } from '@genmount/testing'
import { expect, onTestFinished, test } from 'vitest'
import { imageToVideo } from '../comfyui/comfyui-shapes.ts'
import { faultIn } from '../body-schemas.ts'
import { inputOf, runBody } from './runpod-bodies.ts'
import { film, picture, runpodKey as token, startRunpod } from './runpod-fake.ts'
import { runpodModels } from './runpod-models.ts'

const { signal } = new AbortController()
const call = { signal }
const id = '60902e6c-08a1-426e-9cb9-9eaec90f5e2b-u1'
const png = `data:image/png;base64,${Buffer.from(fakeFile('image').bytes).toString('base64')}`
const url = 'https://pictures.example.com/fox.png'
const task = { jobId: 'job', model: 'it', input: { prompt: 'a fox' }, clientToken: 'c0ffee00-1' }

/** A provider of one model, whose vendor gives these answers one after the other. */
function answered(
  answers: readonly unknown[],
  model: RunpodModel,
  options: Partial<RunpodProviderOptions> = {},
) {
  const asked: { url: string; key: string | null; body: JsonObject | undefined }[] = []
  const left = [...answers]
  const provider = runpodProvider({
    token,
    models: { it: model },
    async fetch(input, { headers, body } = {}) {
      const sent = body === undefined ? undefined : await new Response(body).json()
      asked.push({ url: String(input), key: new Headers(headers).get('authorization'), body: sent })
      return Response.json(left.shift() ?? {}, {})
    },
    ...options,
  })
  return { provider, asked }
}

/** The request for an input, or the words in which it is refused. */
async function sent(model: RunpodModel, input: JsonObject, options?: Partial<RunpodProviderOptions>) {
  const { provider, asked } = answered([{ id, status: 'IN_QUEUE' }], model, options)
  const checked = await provider.models[0]!.input['~standard'].validate(input)
  if (checked.issues) return checked.issues.map(({ message }) => message).join()
  const report = await provider.submit({ ...task, input: checked.value as JsonObject }, call)
  if (report.state === 'failed') return `${report.code}: ${report.message}`
  const body = asked[0]!.body!
  expect(faultIn(runBody, body)).toBeUndefined()
  expect(faultIn(inputOf(model.endpoint)!, body['input'])).toBeUndefined()
  return body
}

test.each<[keyof typeof runpodModels, JsonObject, JsonObject]>([
  [
    'film',
    { prompt: 'a fox', resolution: '1920*1080', duration: 10, seed: 7, negative_prompt: 'fog' },
    { prompt: 'a fox', size: '1920*1080', duration: 10, seed: 7, negative_prompt: 'fog' },
  ],
  ['picture', { prompt: 'a fox', image: url }, { prompt: 'a fox', image: url, output_format: 'png' }],
  [
    'edit',
    { prompt: 'snow', image: [url, url], aspect_ratio: '1:1' },
    { prompt: 'snow', images: [url, url], aspect_ratio: '1:1' },
  ],
])('the runpod provider sends the model %s the fields %j as %j', async (model, input, workerInput) => {
  const { endpoint, ...more } = runpodModels[model]
  const policy = 'policy' in more ? { policy: more.policy } : {}
  expect(await sent({ endpoint, ...more }, input)).toEqual({ input: workerInput, ...policy })
})

test.each<[string, RunpodModel, JsonObject, string]>([
  ['a field that it has not named', runpodModels.picture, { prompt: 'a fox', fps: 24 }, 'fps is unknown'],
  [
    'a ratio by default',
    { endpoint: 'a', outputKind: 'image' },
    { prompt: 'a', aspect_ratio: '1:1' },
    'aspect_ratio is',
  ],
  ['no picture where one is needed', runpodModels.edit, { prompt: 'a fox' }, 'image is required'],
  ['another length', runpodModels.film, { prompt: 'a fox', duration: 7 }, 'duration must be'],
  [
    'a fixed parameter',
    runpodModels.picture,
    { prompt: 'a', provider_options: { output_format: 'jpeg' } },
    'provider_options',
  ],
])('a model of runpod refuses %s in words, and sends nothing', async (_what, model, input, words) => {
  expect(await sent(model, input)).toContain(words)
})

test('a request of more than 10 MB is refused before it is sent to Runpod', async () => {
  const inputs = {
    notes: { '~standard': { version: 1, vendor: 'app', validate: (value: unknown) => ({ value }) } },
  } as const
  const model = { endpoint: 'z-image-turbo', outputKind: 'image', inputs } as const
  const { provider, asked } = answered([], model)
  const of = (length: number) =>
    provider.submit({ ...task, input: { prompt: 'x', notes: 'ü'.repeat(length) } }, call)
  expect(await of(5.1 * 1024 * 1024)).toMatchObject({
    state: 'failed',
    code: 'provider_rejected',
    message: expect.stringContaining('10 MB'),
  })
  expect(asked).toEqual([])
  // An answer without an id: the request was sent.
  await expect(of(4.9 * 1024 * 1024)).rejects.toThrow('without the id')
})

const animate = {
  endpoint: '4k8c0mfyui2q',
  outputKind: 'video',
  workflow: imageToVideo,
  inputs: { prompt: { node: '2', field: 'text' }, image: { node: '1', field: 'image' } },
} as const satisfies RunpodModel

test('worker-comfyui gets the workflow with the input in it, and its pictures as base64 by the names in its nodes', async () => {
  const body = (await sent(animate, { prompt: 'the sea', image: png })) as unknown as Readonly<
    Record<
      'input',
      {
        workflow: typeof imageToVideo
        images: { name: string; image: string }[]
      }
    >
  >
  const { workflow, images } = body.input
  expect(images).toEqual([
    { name: expect.stringMatching(/^genmount-[\da-f]{32}\.png$/), image: png.split(',')[1] },
  ])
  expect(workflow['1']!.inputs).toMatchObject({ image: images[0]!.name })
  expect(workflow['2']!.inputs).toMatchObject({ text: 'the sea' })
  expect(imageToVideo['2']!.inputs).not.toMatchObject({ text: 'the sea' })
})

test('worker-comfyui gets equal pictures once, since their names must differ, and one seed for each job', async () => {
  const nodes = {
    a: { class_type: 'LoadImage', inputs: { image: '' } },
    b: { class_type: 'LoadImage', inputs: { image: '' } },
  }
  const workflow = { ...nodes, s: { class_type: 'KSampler', inputs: { seed: 1 } } }
  const place = (node: string) => ({ node, field: 'image' })
  const model = {
    endpoint: '4k8c0mfyui2q',
    outputKind: 'image',
    workflow,
    inputs: { reference_images: [place('a'), place('b')], seed: { node: 's', field: 'seed' } },
  } as const satisfies RunpodModel
  const { input } = (await sent(model, { reference_images: [png, png] })) as { input: JsonObject }
  expect(input['images']).toHaveLength(1)
  const [{ name }] = input['images'] as [{ name: string }]
  expect(input['workflow']).toMatchObject({ a: { inputs: { image: name } }, b: { inputs: { image: name } } })
  expect(input['workflow']).toMatchObject({ s: { inputs: { seed: 0xc0ffee00 } } })
})

test('a picture at a private address fails a job of worker-comfyui, and nothing is sent to Runpod', async () => {
  const image = 'http://127.0.0.1:9/fox.png'
  expect(await sent(animate, { prompt: 'the sea', image })).toMatch(/^input_fetch_failed: /)
})

test('the runpod provider asks for webhooks only at https, and its key goes to its base URL alone', async () => {
  const callbackUrl = 'https://app.example/v1/callbacks/runpod/j/3cret'
  const webhookOf = async (callbackUrl: string) => {
    const { provider, asked } = answered([{ id }], runpodModels.picture, {
      baseUrl: 'https://proxy.example/runpod/v2/',
    })
    await provider.submit(task, { signal, callbackUrl })
    await provider.poll({ ...task, handle: { endpoint: 'z-image-turbo', id } }, call).catch(() => {})
    await provider.cancel!({ ...task, handle: { endpoint: 'z-image-turbo', id } }, call)
    const at = 'https://proxy.example/runpod/v2/z-image-turbo'
    expect(asked.map(({ url }) => url)).toEqual([`${at}/run`, `${at}/status/${id}`, `${at}/cancel/${id}`])
    expect(new Set(asked.map(({ key }) => key))).toEqual(new Set([`Bearer ${token}`]))
    return asked[0]!.body!['webhook']
  }
  expect(await webhookOf(callbackUrl)).toBe(callbackUrl)
  expect(await webhookOf('http://app.example/cb')).toBeUndefined()
})

test('the runpod provider reports a handle that leads elsewhere as unknown, and asks nobody', async () => {
  const { provider, asked } = answered([], runpodModels.picture)
  for (const handle of [
    null,
    'x',
    {},
    { id },
    { endpoint: '../a', id },
    { endpoint: 'a/b', id },
    { endpoint: 'a', id: '../x' },
  ]) {
    expect(await provider.poll({ ...task, handle }, call)).toMatchObject({ state: 'unknown' })
    await provider.cancel!({ ...task, handle }, call)
  }
  expect(asked).toEqual([])
})

/** The report on a task with these fields. */
async function reportOn(fields: object, model: RunpodModel): Promise<ProviderReport> {
  const { provider } = answered([{ id, ...fields }], model)
  return provider.poll({ ...task, handle: { endpoint: 'a', id } }, call)
}

test.each<[string, Partial<RunpodModel>, object, object]>([
  [
    'what the endpoint says',
    { price: 1 },
    { output: { image_url: picture, cost: 0.005 } },
    { costUsd: 0.005 },
  ],
  ['the price of each file', { price: 0.02 }, { output: [picture, picture] }, { costUsd: 0.04 }],
  [
    'the price of each second',
    { price: 0.001, priceUnit: 'second' },
    { output: picture, executionTime: 4500 },
    { costUsd: 0.0045, inferenceMs: 4500 },
  ],
  ['nothing known without either', {}, { output: picture }, { costUsd: undefined }],
  [
    'nothing known without a time',
    { price: 0.001, priceUnit: 'second' },
    { output: picture },
    { costUsd: undefined },
  ],
])('a job of runpod costs %s', async (_what, model, fields, report) => {
  const endpoint = { endpoint: 'a', outputKind: 'image', ...model } as RunpodModel
  expect(await reportOn({ status: 'COMPLETED', ...fields }, endpoint)).toMatchObject(report)
})

test('a job of runpod that fails costs the seconds of its worker, and nothing if its price counts files', async () => {
  const failed = { status: 'TIMED_OUT', executionTime: 10_000 }
  const endpoint = { endpoint: 'a', outputKind: 'image', price: 0.001 } as const
  expect(await reportOn(failed, { ...endpoint, priceUnit: 'second' })).toMatchObject({
    state: 'failed',
    costUsd: 0.01,
  })
  expect(await reportOn(failed, endpoint)).toMatchObject({ state: 'failed', costUsd: undefined })
})

test('an endpoint of runpod with other files in its output delivers those of its output field', async () => {
  const output = {
    mask: 'https://b.example.com/mask.png',
    result: { pictures: ['https://b.example.com/fox.png'] },
  }
  const endpoint = { endpoint: 'a', outputKind: 'image', outputField: 'result.pictures' } as const
  expect(await reportOn({ status: 'COMPLETED', output }, endpoint)).toMatchObject({
    outputs: [{ url: 'https://b.example.com/fox.png' }],
  })
  const gone = await reportOn({ status: 'COMPLETED', output: { mask: output.mask } }, endpoint)
  expect(gone).toMatchObject({ state: 'succeeded', outputs: [] })
})

test('the progress of a worker of runpod is shown while it runs, and a file that is not yet finished is not delivered', async () => {
  const progress = async (output: unknown) => reportOn({ status: 'IN_PROGRESS', output }, runpodModels.film)
  expect(await progress({ type: 'progress', percent: 48 })).toMatchObject({
    state: 'running',
    progress: 0.48,
  })
  expect(await progress({ video_url: film })).toMatchObject({ state: 'running', progress: undefined })
})

test('the words of an exception in a worker of runpod are shown without its traceback', async () => {
  const error = JSON.stringify({
    error_type: 'KeyError',
    error_message: 'No such LoRA.',
    error_traceback: 'File "/handler.py"',
  })
  expect(await reportOn({ status: 'FAILED', error }, runpodModels.film)).toEqual({
    state: 'failed',
    code: 'provider_failed',
    message: 'No such LoRA.',
    costUsd: undefined,
  })
})

test('a task of runpod that is canceled ends as failed with its cost, and one that has ended keeps its result', async () => {
  const { baseUrl, close, ledger } = await startRunpod({ polls: 2 })
  onTestFinished(close)
  const provider = runpodProvider({ token, baseUrl, models: { it: runpodModels.workflow } })
  const begun = await provider.submit(task, call)
  if (begun.state !== 'running') throw new Error('expected a running task')
  const running = { ...task, handle: begun.handle }
  await provider.cancel!(running, call)
  await provider.cancel!(running, call)
  expect(await provider.poll(running, call)).toMatchObject({ state: 'failed', costUsd: 0.00035 })
  Object.assign(ledger[0]!, { pollsLeft: 0, isCancelled: false })
  await provider.cancel!(running, call)
  expect(await provider.poll(running, call)).toMatchObject({ state: 'succeeded', outputs: [{}] })
})

test('a task that runpod does not know any more is reported as unknown, by which the service asks again', async () => {
  const { baseUrl, close, forget } = await startRunpod()
  onTestFinished(close)
  const provider = runpodProvider({ token, baseUrl, models: { it: runpodModels.film } })
  const begun = await provider.submit(task, call)
  forget()
  if (begun.state !== 'running') throw new Error('expected a running task')
  expect(await provider.poll({ ...task, handle: begun.handle }, call)).toMatchObject({ state: 'unknown' })
  await provider.cancel!({ ...task, handle: begun.handle }, call)
})
