// @module-tag needs/chromium
import { writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { createClient } from '@genmount/client'
import { createGenerationService } from '@genmount/core'
import { apiKeys, toNodeHandler } from '@genmount/node-http'
import { fakeProvider, type FakeProviderOptions, manualClock, quietLog } from '@genmount/testing'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { openContext } from '../../browsers/open-page.ts'
import { served } from '../../served.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { bundledPage } from './bundled-page.ts'
import type { HookPage } from './hook-page.ts'

declare const page: HookPage

const programOf = (name: string) => join(import.meta.dirname, `${name}.ts`)

/**
 * A page with the component of a framework, from the server of a service with the fake provider.
 * @param options `clock` is the vendor's, by which a test decides when a job ends
 */
async function openComponent(script: string, { clock }: Pick<FakeProviderOptions, 'clock'> = {}) {
  const provider = fakeProvider({ cancel: true, ...(clock && { clock }) })
  const service = createGenerationService({ providers: [provider], log: quietLog() })
  onTestFinished(async () => void (await service.close()))
  const authenticate = apiKeys({ alice: 'key-of-alice', bob: 'key-of-bob' })
  const handler = toNodeHandler(service, { authenticate })
  /** How many streams of events there are at the moment, and every path that was asked for. */
  const seen = { streams: 0, paths: [] as string[] }
  const origin = await served((request, response) => {
    const { url = '' } = request
    if (!url.startsWith('/v1/'))
      return void response.setHeader('content-type', 'text/html').end('<body></body>')
    seen.paths.push(url)
    if (url.endsWith('/events')) {
      seen.streams++
      response.once('close', () => seen.streams--)
    }
    handler(request, response)
  })
  const opened = await (await openContext()).newPage()
  const complaints: string[] = []
  opened.on('pageerror', (error) => complaints.push(String(error)))
  opened.on('console', (message) => {
    // The browser itself writes a line for each answer such as 409.
    const isComplaint = ['error', 'warning'].includes(message.type())
    if (isComplaint && !message.text().startsWith('Failed to load')) complaints.push(message.text())
  })
  await opened.goto(origin)
  await opened.addScriptTag({ content: script })
  await opened.evaluate(() => page.mount())
  await opened.waitForSelector('p')
  return { opened, service, seen, complaints }
}

const status = (opened: Page) => opened.evaluate(() => page.shown?.status)
const becomes = (opened: Page, expected: string) =>
  vi.waitFor(async () => expect(await status(opened)).toBe(expected), { timeout: 60_000 })

describe.each(['react', 'vue', 'svelte', 'solid'])('useGeneration of @genmount/client/%s', (framework) => {
  let script = ''
  beforeAll(async () => void (script = await bundledPage(programOf(`${framework}-page`), 'browser')))

  test('shows the status, progress and end of a job, and creates one job', async () => {
    const clock = manualClock()
    const { opened, seen, complaints } = await openComponent(script, { clock })
    expect(await status(opened)).toBe('idle')
    const generated = opened.evaluate(async () => {
      const { generate } = page.shown!
      const input = { model: 'fake-image', prompt: 'a kite', delay_ms: 5000, progress: 0.5 }
      const job = await generate(input)
      return { job, isSame: generate === page.shown!.generate }
    })
    await opened.waitForFunction(() => page.texts.includes('processing 0.5'))
    await clock.advance(5000)
    const given = await generated
    expect(given.isSame).toBe(true)
    await becomes(opened, 'completed')
    const shown = await opened.evaluate(() => page.shown)
    expect(shown?.job).toEqual(given.job)
    expect(shown).toMatchObject({ job: { status: 'completed' }, progress: { progress: 1 } })
    const texts = await opened.evaluate(() => page.texts)
    expect([...new Set(texts)]).toEqual(['idle', 'processing', 'processing 0.5', 'completed 1'])
    expect(seen.paths.filter((path) => path.startsWith('/v1/generate'))).toEqual(['/v1/generate'])
    expect(complaints).toEqual([])
  })

  test('runs an effect that reads the status when the status changes, and not with each progress', async () => {
    const clock = manualClock()
    const { opened } = await openComponent(script, { clock })
    const generated = opened.evaluate(() =>
      page.shown!.generate({ model: 'fake-image', prompt: 'a kite', delay_ms: 5000, progress: 0.5 }),
    )
    await opened.waitForFunction(() => page.texts.includes('processing 0.5'))
    await clock.advance(5000)
    await generated
    const expected = ['idle', 'processing', 'completed']
    // React's StrictMode runs each effect twice when a component is mounted.
    if (framework === 'react') expected.unshift('idle')
    await vi.waitFor(async () => expect(await opened.evaluate(() => page.statuses)).toEqual(expected))
  })

  test('shows the last of several generations, whichever ends first', async () => {
    const { opened, seen } = await openComponent(script)
    const ends = await opened.evaluate(async () => {
      const { generate } = page.shown!
      const prompts = ['first', 'second', 'third']
      const all = prompts.map((prompt, n) =>
        generate({ model: 'fake-image', prompt, delay_ms: n === 2 ? 1200 : 400 }),
      )
      return (await Promise.all(all)).map((job) => job?.input['prompt'])
    })
    expect(ends.at(-1)).toBe('third')
    expect(ends.slice(0, 2)).toEqual([null, null].map(() => undefined))
    await becomes(opened, 'completed')
    expect(await opened.evaluate(() => page.shown?.job?.input['prompt'])).toBe('third')
    expect(seen.streams).toBe(0)
  })

  test('shows a second generation from its beginning after the first has ended', async () => {
    const { opened } = await openComponent(script)
    const generate = (prompt: string) =>
      opened.evaluate((text) => page.shown!.generate({ model: 'fake-image', prompt: text }), prompt)
    const first = await generate('first')
    await becomes(opened, 'completed')
    const second = await generate('second')
    expect(second?.id).not.toBe(first?.id)
    await vi.waitFor(async () => expect(await opened.evaluate(() => page.shown?.job?.id)).toBe(second?.id))
    expect(await opened.evaluate(() => page.texts)).toEqual([
      'idle',
      'processing',
      'completed 1',
      'processing',
      'completed 1',
    ])
  })

  test('shows the error of a failed job, and reset removes it', async () => {
    const { opened } = await openComponent(script)
    const input = {
      model: 'fake-image',
      prompt: 'a kite',
      fail: 'content_policy',
      fail_message: 'No kites today.',
    }
    expect(await opened.evaluate((given) => page.shown!.generate(given), input)).toBe(undefined)
    await becomes(opened, 'failed')
    expect(
      await opened.evaluate(() => [
        page.shown?.error?.code,
        page.shown?.error?.message,
        page.shown?.job?.status,
      ]),
    ).toEqual(['content_policy', 'No kites today.', 'failed'])
    await opened.evaluate(() => page.shown!.reset())
    await becomes(opened, 'idle')
    expect(await opened.evaluate(() => [page.shown?.error, page.shown?.job])).toEqual([undefined, undefined])
  })

  test('cancels the job, also before the service has answered the create', async () => {
    const { opened } = await openComponent(script)
    const start = () =>
      void page.shown!.generate({ model: 'fake-image', prompt: 'a kite', delay_ms: 600_000 })
    for (const isEarly of [true, false]) {
      await opened.evaluate(() => page.shown!.reset())
      await opened.evaluate(start)
      if (!isEarly) await opened.waitForFunction(() => page.shown?.job)
      await opened.evaluate(() => page.shown!.cancel())
      await becomes(opened, 'failed')
      expect(await opened.evaluate(() => page.shown?.error?.code)).toBe('canceled')
    }
    await opened.evaluate(() => page.shown!.cancel())
    expect(await opened.evaluate(() => page.shown?.error?.code)).toBe('canceled')
  })

  test('stops following its job when its component is unmounted, and generates after a new mount', async () => {
    const { opened, seen, complaints } = await openComponent(script)
    const start = () =>
      void page.shown!.generate({ model: 'fake-image', prompt: 'a kite', delay_ms: 600_000 })
    await opened.evaluate(start)
    await vi.waitFor(() => expect(seen.streams).toBe(1), { timeout: 60_000 })
    await opened.evaluate(() => page.unmount())
    await vi.waitFor(() => expect(seen.streams).toBe(0), { timeout: 60_000 })
    const before = seen.paths.length
    await opened.evaluate(() => page.mount())
    await opened.waitForSelector('p')
    const job = await opened.evaluate(() => page.shown!.generate({ model: 'fake-image', prompt: 'a kite' }))
    expect(job?.status).toBe('completed')
    const isOfOther = (path: string) => path !== '/v1/generate' && !path.includes(job!.id)
    expect(seen.paths.slice(before).filter(isOfOther)).toEqual([])
    expect(complaints).toEqual([])
  })

  test('makes no request after an unmount during the create', async () => {
    const { opened, seen, complaints } = await openComponent(script)
    const result = await opened.evaluate(() => {
      const generated = page.shown!.generate({ model: 'fake-image', prompt: 'a kite', delay_ms: 600_000 })
      page.unmount()
      return generated
    })
    expect(result).toBe(undefined)
    await opened.evaluate(() => page.mount())
    await opened.waitForSelector('p')
    expect(await status(opened)).toBe('idle')
    await opened.evaluate(() => page.shown!.generate({ model: 'fake-image', prompt: 'a kite' }))
    expect(seen.paths.filter((path) => path.endsWith('/events')).length).toBeLessThanOrEqual(1)
    expect(complaints).toEqual([])
  })

  test('is idle on a server, which sends no request', async () => {
    const file = join(temporaryFolder(), 'server.cjs')
    writeFileSync(file, await bundledPage(programOf(`${framework}-server`), 'node'))
    const { render } = createRequire(import.meta.url)(file)
    const requests: unknown[] = []
    const client = createClient({
      baseUrl: 'http://127.0.0.1:1',
      fetch: async (url) => (requests.push(url), new Response()),
    })
    const html = await render({ client, onShown() {}, onStatus() {} })
    expect(html.replaceAll(/<!--.*?-->/g, '')).toMatch(/^<p[^>]*>idle<\/p>$/)
    expect(requests).toEqual([])
  })
})

test('useGeneration of @genmount/client/react generates with the client of the latest render', async () => {
  const { opened, service } = await openComponent(await bundledPage(programOf('react-page'), 'browser'))
  await opened.evaluate(() => page.exchangeClient())
  await vi.waitFor(
    async () => {
      const input = { model: 'fake-image', prompt: 'a kite' }
      const job = await opened.evaluate((given) => page.shown!.generate(given), input)
      const { jobs } = await service.list({ owner: 'bob' })
      expect(jobs.map(({ id }) => id)).toContain(job?.id)
    },
    { timeout: 60_000 },
  )
})

describe('useGeneration of @genmount/client/react in an Activity that was hidden, whose effects React then runs again', () => {
  test.each([
    ['before the service has answered the create', false],
    ['while the job runs', true],
  ] as const)('goes on with its one job: %s', async (_when, isLate) => {
    const { opened, seen, service } = await openComponent(
      await bundledPage(programOf('react-page'), 'browser'),
    )
    await opened.evaluate(
      () => void page.shown!.generate({ model: 'fake-image', prompt: 'a kite', delay_ms: 1500 }),
    )
    if (isLate) await vi.waitFor(() => expect(seen.streams).toBe(1), { timeout: 60_000 })
    await opened.evaluate(() => page.hide(true))
    await vi.waitFor(() => expect(seen.streams).toBe(0), { timeout: 60_000 })
    await opened.evaluate(() => page.hide(false))
    await becomes(opened, 'completed')
    const { jobs } = await service.list({ owner: 'alice' })
    expect(jobs.map(({ id }) => id)).toEqual([await opened.evaluate(() => page.shown?.job?.id)])
  })

  test('can cancel its job', async () => {
    const { opened, seen } = await openComponent(await bundledPage(programOf('react-page'), 'browser'))
    await opened.evaluate(
      () => void page.shown!.generate({ model: 'fake-image', prompt: 'a kite', delay_ms: 600_000 }),
    )
    await vi.waitFor(() => expect(seen.streams).toBe(1), { timeout: 60_000 })
    await opened.evaluate(() => page.hide(true))
    await vi.waitFor(() => expect(seen.streams).toBe(0), { timeout: 60_000 })
    await opened.evaluate(() => page.hide(false))
    await opened.evaluate(() => page.shown!.cancel())
    await becomes(opened, 'failed')
    expect(await opened.evaluate(() => page.shown?.error?.code)).toBe('canceled')
  })
})
