import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { FileFetch, JsonObject, Provider, ProviderReport, ProviderTask } from '@genmount/core'
import { guardedFetch } from '@genmount/guarded-fetch'
import sharp from 'sharp'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { enlargingProvider, esrganProvider, type EsrganProviderOptions } from './esrgan-provider.ts'

const call = { signal: new AbortController().signal }
const providers: Provider[] = []

function provide(options: EsrganProviderOptions = {}, fetchFile: FileFetch = guardedFetch): Provider {
  const provider = enlargingProvider(options, fetchFile)
  providers.push(provider)
  return provider
}

afterEach(async () => {
  await Promise.all(providers.splice(0).map((provider) => provider.close?.()))
})

async function picture(width: number, height: number): Promise<Buffer> {
  return sharp({ create: { width, height, channels: 3, background: '#3a6' } })
    .png()
    .toBuffer()
}

async function dataUri(width: number, height: number): Promise<string> {
  return `data:image/png;base64,${(await picture(width, height)).toString('base64')}`
}

function task(input: JsonObject, model = 'esrgan-x2', clientToken = 'token'): ProviderTask {
  return { jobId: 'job', model, input: { format: 'png', ...input }, clientToken }
}

/** Submits, and polls at the provider's own pace until the task has finished. */
async function finished(provider: Provider, task: ProviderTask): Promise<ProviderReport> {
  let report = await provider.submit(task, call)
  while (report.state === 'running') {
    const { handle, pollAfterMs } = report
    await new Promise((resolve) => setTimeout(resolve, pollAfterMs))
    report = await provider.poll({ ...task, handle }, call)
  }
  return report
}

test.each([
  ['esrgan-x2', 2, 0.006],
  ['esrgan-x4', 4, 0.024],
])(
  '%s makes a picture %i times as wide and high, at the price for its pixels',
  async (model, scale, costUsd) => {
    const provider = provide({ prices: { 'esrgan-x2': 0.5, 'esrgan-x4': ({ units }) => units * 0.5 } })
    const report = await finished(provider, task({ image: await dataUri(60, 50), format: 'webp' }, model))
    expect(report).toMatchObject({
      state: 'succeeded',
      outputs: [{ contentType: 'image/webp', bytes: expect.any(Uint8Array) }],
      costUsd,
      inferenceMs: expect.any(Number),
    })
    const [output] = report.state === 'succeeded' ? report.outputs : []
    const file = output && 'bytes' in output ? output.bytes : undefined
    expect(await sharp(file).metadata()).toMatchObject({ width: 60 * scale, height: 50 * scale })
  },
)

test('esrganProvider enlarges a picture at a URL', async () => {
  const file = await picture(20, 10)
  const server = createServer((_request, response) => response.end(file)).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await new Promise((resolve) => server.once('listening', resolve))
  const provider = provide({}, (url, options) =>
    guardedFetch(url, { ...options, allowAddress: (address) => address === '127.0.0.1' }),
  )
  const image = `http://127.0.0.1:${(server.address() as AddressInfo).port}/a.png`
  expect(await finished(provider, task({ image }))).toMatchObject({ state: 'succeeded' })
})

test('esrganProvider with 60 tasks fetches only as many pictures as its threads can use soon', async () => {
  const file = new Uint8Array(await picture(2000, 2000))
  let fetched = 0
  const provider = provide({ workers: 1 }, async () => {
    fetched++
    return { body: new Blob([file]).stream() }
  })
  const tasks = Array.from({ length: 60 }, (_, i) =>
    task({ image: 'https://example.com/a.png' }, 'esrgan-x2', `of-60-${i}`),
  )
  for (const each of tasks) {
    const begun = await provider.submit(each, { signal: AbortSignal.abort() })
    expect(begun.state).toBe('running')
  }
  expect(fetched).toBeGreaterThan(0)
  expect(fetched).toBeLessThanOrEqual(2)
  for (const each of tasks.slice(0, 2)) await provider.cancel?.({ ...each, handle: null }, call)
  // The next two pictures get the room of those that have finished.
  await vi.waitUntil(() => fetched === 4, { timeout: 60_000 })
})

test('esrganProvider does not fetch a URL with a private address, and the job says so', async () => {
  // This stands for a public name that resolves to the address: a literal address would be refused before the task
  // exists.
  const report = await finished(provide(), task({ image: 'http://127.0.0.1:9/a.png' }))
  expect(report).toMatchObject({
    state: 'failed',
    code: 'input_fetch_failed',
    message: expect.stringMatching(/^image: /),
  })
})

test('esrganProvider never decodes an SVG from a URL, whatever its type', async () => {
  const svg = new TextEncoder().encode('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')
  const provider = provide({}, async () => ({ body: new Blob([svg]).stream() }))
  expect(await finished(provider, task({ image: 'https://example.com/a.png' }))).toMatchObject({
    state: 'failed',
    code: 'input_fetch_failed',
    message: expect.stringContaining('PNG, JPEG, WebP or GIF'),
  })
})

test('esrganProvider refuses a picture that is too large, and says which size it takes', async () => {
  const provider = provide({ maxOutputPixels: 1600 })
  expect(await finished(provider, task({ image: await dataUri(21, 20) }))).toEqual({
    state: 'failed',
    code: 'provider_rejected',
    message:
      'image is too large with 21 x 20 pixels: this model accepts at most 400 pixels, and 8191 per side.',
  })
  const fits = task({ image: await dataUri(20, 20) }, 'esrgan-x2', 'another')
  expect(await finished(provider, fits)).toMatchObject({ state: 'succeeded' })
})

test('esrganProvider keeps the event loop free while it enlarges a picture', async () => {
  const provider = provide()
  const image = await dataUri(200, 200)
  const delay = monitorEventLoopDelay({ resolution: 5 })
  delay.enable()
  const report = await finished(provider, task({ image }))
  delay.disable()
  expect(report).toMatchObject({ state: 'succeeded' })
  expect(delay.count).toBeGreaterThan(50)
  expect(delay.percentile(90) / 1e6).toBeLessThan(250)
})

test.each([
  [{ workers: 0 }, 'workers must be a whole number from 1 to 64, not 0'],
  [{ workers: '2' }, 'workers must be'],
  [{ maxOutputPixels: 0.5 }, 'maxOutputPixels must be a whole number from 1 to 268435456, not 0.5'],
  [{ prices: { 'esrgan-x2': -1 } }, "prices['esrgan-x2'] must be"],
  [{ prices: { 'esrgan-x3': 1 } }, "prices['esrgan-x3'] is not an option; did you mean esrgan-x2?"],
])('esrganProvider throws a TypeError that explains the wrong options %j', (options, message) => {
  expect(() => esrganProvider(options as EsrganProviderOptions)).toThrow(TypeError)
  expect(() => esrganProvider(options as EsrganProviderOptions)).toThrow(message)
})
