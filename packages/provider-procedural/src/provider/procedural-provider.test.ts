import { quietLog } from '@genmount/testing'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import {
  createGenerationService,
  type JobPreview,
  type JsonObject,
  type Provider,
  type ProviderReport,
  type ProviderTask,
} from '@genmount/core'
import sharp from 'sharp'
import { afterEach, expect, onTestFinished, test } from 'vitest'
import { proceduralProvider, type ProceduralProviderOptions } from './procedural-provider.ts'

const call = { signal: new AbortController().signal }
const providers: Provider[] = []

function provide(options?: ProceduralProviderOptions): Provider {
  const provider = proceduralProvider(options)
  providers.push(provider)
  return provider
}

afterEach(async () => {
  await Promise.all(providers.splice(0).map((provider) => provider.close?.()))
})

async function taskFor(
  provider: Provider,
  model: string,
  input: JsonObject,
  clientToken = 'token',
): Promise<ProviderTask> {
  const result = await provider.models.find(({ id }) => id === model)?.input['~standard'].validate(input)
  if (result === undefined || result.issues) throw new Error(result?.issues?.[0]?.message ?? 'no such model')
  return { jobId: 'job', model, input: result.value as JsonObject, clientToken }
}

/** Polls at the provider's own pace until the task has finished. */
async function finish(
  provider: Provider,
  task: ProviderTask,
  first: ProviderReport,
): Promise<ProviderReport> {
  let report = first
  while (report.state === 'running') {
    const { handle, pollAfterMs = 50 } = report
    await new Promise((resolve) => setTimeout(resolve, pollAfterMs))
    report = await provider.poll({ ...task, handle }, call)
  }
  return report
}

function bytesOf(report: ProviderReport): Uint8Array[] {
  if (report.state !== 'succeeded') throw new Error(JSON.stringify(report))
  return report.outputs.map((output) => ('bytes' in output ? output.bytes : new Uint8Array()))
}

test('proceduralProvider makes as many pictures as num_outputs in the format of the input, at their price', async () => {
  const provider = provide({ prices: { 'procedural-image': 0.01 } })
  const task = await taskFor(provider, 'procedural-image', {
    prompt: 'a lake',
    resolution: '480p',
    num_outputs: 3,
    format: 'webp',
  })
  const report = await finish(provider, task, await provider.submit(task, call))
  expect(report).toMatchObject({ state: 'succeeded', costUsd: 0.03, inferenceMs: expect.any(Number) })
  expect(report).toMatchObject({
    outputs: [1, 2, 3].map(() => ({ contentType: 'image/webp', revisedPrompt: 'lake' })),
  })
  for (const bytes of bytesOf(report))
    expect(await sharp(bytes).metadata()).toMatchObject({ width: 480, format: 'webp' })
})

test('proceduralProvider draws the picture of another owner second behind ten films of one owner', async () => {
  const provider = provide({ workers: 1 })
  const unhurried = { signal: AbortSignal.abort() }
  const film = { prompt: 'the sea', resolution: '480p', aspect_ratio: '1:1', duration: 1, fps: 12 }
  const alices: ProviderTask[] = []
  for (let i = 0; i < 10; i++) {
    alices.push({ ...(await taskFor(provider, 'procedural-video', film, `film ${i}`)), owner: 'alice' })
    await provider.submit(alices[i]!, unhurried)
  }
  const picture = await taskFor(provider, 'procedural-image', { prompt: 'a lake', resolution: '480p' })
  const bobs = { ...picture, owner: 'bob' }
  const isRunning = async (task: ProviderTask) =>
    (await provider.poll({ ...task, handle: task.clientToken }, call)).state === 'running'
  await provider.submit(bobs, unhurried)
  while (await isRunning(bobs)) await new Promise((resolve) => setTimeout(resolve, 5))
  const left = await Promise.all(alices.map(isRunning))
  expect(left.filter(Boolean).length).toBeGreaterThanOrEqual(8)
})

test('a film of proceduralProvider is running at first, and costs its price per second at the end', async () => {
  const provider = provide({ prices: { 'procedural-video': 0.02 } })
  const task = await taskFor(provider, 'procedural-video', {
    prompt: 'the sea',
    resolution: '480p',
    aspect_ratio: '1:1',
    duration: 1.5,
    fps: 12,
  })
  const begun = await provider.submit(task, call)
  expect(begun).toMatchObject({ state: 'running', pollAfterMs: expect.any(Number) })
  const report = await finish(provider, task, begun)
  expect(report).toMatchObject({
    state: 'succeeded',
    costUsd: 0.03,
    outputs: [{ contentType: 'video/mp4', revisedPrompt: 'sea' }],
  })
})

test('proceduralProvider edits a picture in a data URI', async () => {
  const provider = provide()
  const picture = await sharp({ create: { width: 90, height: 60, channels: 3, background: '#3a6' } })
    .png()
    .toBuffer()
  const image = `data:image/png;base64,${picture.toString('base64')}`
  const task = await taskFor(provider, 'procedural-image', { prompt: 'sunset', image, resolution: '480p' })
  const [edited] = bytesOf(await finish(provider, task, await provider.submit(task, call)))
  expect(await sharp(edited).metadata()).toMatchObject({ width: 720, height: 480 })
})

test.each([
  'http://127.0.0.1:9/a.png',
  'http://169.254.169.254/latest/meta-data',
  'http://[::1]/a.png',
  'http://localhost/a.png',
])('proceduralProvider does not fetch the picture %s, and the error of the job says so', async (image) => {
  const provider = provide()
  const task = await taskFor(provider, 'procedural-video', { prompt: 'zoom in', image })
  const report = await finish(provider, task, await provider.submit(task, call))
  expect(report).toMatchObject({
    state: 'failed',
    code: 'input_fetch_failed',
    message: expect.stringMatching(/^image: /),
  })
})

test('simulate_latency_ms and simulate_error make a procedural job slow and fail', async () => {
  const provider = provide({ allowSimulation: true })
  const input = {
    prompt: 'a lake',
    resolution: '480p',
    simulate_latency_ms: 60_000,
    simulate_error: 'content_policy',
  }
  const task = await taskFor(provider, 'procedural-image', input)
  const begun = await provider.submit(task, call)
  expect(begun).toMatchObject({ state: 'running' })
  const { handle, pollAfterMs = 0 } = begun as Extract<ProviderReport, { state: 'running' }>
  expect(pollAfterMs).toBeGreaterThan(50_000)
  // Only the handle contains the end of the wait, so the wait continues after a restart.
  expect(await provide({ allowSimulation: true }).poll({ ...task, handle }, call)).toMatchObject({
    state: 'running',
    handle,
  })
  expect(await provider.poll({ ...task, handle: { readyAt: Date.now() - 1 } }, call)).toMatchObject({
    state: 'failed',
    code: 'content_policy',
    message: expect.stringContaining('simulate_error'),
  })
})

test('the event loop stays free while a film of 720p is rendered', async () => {
  const provider = provide()
  const task = await taskFor(provider, 'procedural-video', {
    prompt: 'a mountain lake at sunset',
    resolution: '720p',
    duration: 1,
    fps: 12,
  })
  const delay = monitorEventLoopDelay({ resolution: 5 })
  delay.enable()
  // The rest of the film ends with the provider. If this thread rendered it, all of it would be there before the second poll.
  let report = await provider.submit(task, call)
  while (report.state === 'running' && (report.progress ?? 0) < 0.3) {
    await new Promise((resolve) => setTimeout(resolve, 20))
    report = await provider.poll({ ...task, handle: report.handle }, call)
  }
  delay.disable()
  expect(report.state).toMatch(/running|succeeded/)
  expect(delay.count).toBeGreaterThan(50)
  // A film that is rendered on this thread would block the event loop for seconds.
  expect(delay.percentile(99) / 1e6).toBeLessThan(1000)
})

test('a create is refused with the name of the field when the film takes longer to render than maxRenderSeconds', async () => {
  const service = createGenerationService({
    providers: [provide({ maxRenderSeconds: 5 })],
    log: quietLog(),
  })
  onTestFinished(async () => void (await service.close()))
  const input = { prompt: 'a lake', duration: 10 }
  await expect(service.create({ owner: 'alice', model: 'procedural-video', input })).rejects.toMatchObject({
    code: 'invalid_request',
    param: 'duration',
  })
})

test.each([
  [{ workers: 0 }, /workers must be a whole number from 1 to 64, not 0/],
  [{ workers: 1.5 }, /workers must be/],
  [{ workers: '2' }, /workers must be/],
  [{ allowSimulation: 'yes' }, /allowSimulation must be true or false/],
  [{ prices: { 'procedural-image': -1 } }, /prices/],
  [{ maxRenderSeconds: 3 }, 'maxRenderSeconds must be a whole number of at least 4, not 3'],
  [{ maxRenderSeconds: '9' }, 'maxRenderSeconds must be'],
])('proceduralProvider throws a TypeError that explains the wrong options %j', (options, message) => {
  expect(() => proceduralProvider(options as ProceduralProviderOptions)).toThrow(TypeError)
  expect(() => proceduralProvider(options as ProceduralProviderOptions)).toThrow(message)
})

test('polls of a procedural film report its progress, and some have one of its frames as preview', async () => {
  const provider = provide()
  const task = await taskFor(provider, 'procedural-video', {
    prompt: 'the sea',
    duration: 3,
    resolution: '480p',
  })
  const told: number[] = []
  const previews: JobPreview[] = []
  let report = await provider.submit(task, call)
  // The rest of the film ends with the provider.
  while (report.state === 'running' && (told.length < 2 || previews.length === 0)) {
    if (report.progress !== undefined) told.push(report.progress)
    if (report.preview) previews.push(report.preview)
    await new Promise((resolve) => setTimeout(resolve, 20))
    report = await provider.poll({ ...task, handle: report.handle }, call)
  }
  expect(told.length).toBeGreaterThan(1)
  expect(told).toEqual(told.toSorted((a, b) => a - b))
  expect(told.every((progress) => progress > 0 && progress <= 1)).toBe(true)
  expect(previews.length).toBeGreaterThan(0)
  for (const { bytes, contentType } of previews) {
    expect(await sharp(bytes).metadata()).toMatchObject({ format: 'jpeg', width: 320, height: 180 })
    expect([contentType, bytes.length < 65_536]).toEqual(['image/jpeg', true])
  }
})
