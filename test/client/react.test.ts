// @module-tag needs/chromium
import { createGenerationService } from '@genmount/core'
import { apiKeys, toNodeHandler } from '@genmount/node-http'
import { fakeProvider, quietLog } from '@genmount/testing'
import type { Page } from 'playwright-core'
import { beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { openContext } from '../browsers/open-page.ts'
import { served } from '../served.ts'
import { pageScript } from './page-script.ts'
import type { ReactPage } from './programs/react-page.ts'

declare const page: ReactPage

let script = ''
beforeAll(async () => void (script = await pageScript('programs/react-page.ts')))

/** A page with the component, from the server of a service with the fake provider. */
async function openComponent() {
  const provider = fakeProvider({ cancel: true })
  const service = createGenerationService({ providers: [provider], log: quietLog() })
  onTestFinished(async () => void (await service.close()))
  const handler = toNodeHandler(service, { authenticate: apiKeys({ alice: 'key-of-alice' }) })
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
    if (message.type() === 'error' && !message.text().startsWith('Failed to load'))
      complaints.push(message.text())
  })
  await opened.goto(origin)
  await opened.addScriptTag({ content: script })
  await opened.evaluate(() => page.mount())
  await opened.waitForSelector('p')
  return { opened, seen, complaints }
}

const status = (opened: Page) => opened.evaluate(() => page.shown?.status)

test('useGeneration shows the status, progress and end of a job, and creates one job in StrictMode', async () => {
  const { opened, seen, complaints } = await openComponent()
  expect(await status(opened)).toBe('idle')
  const given = await opened.evaluate(async () => {
    const job = await page.shown!.generate({
      model: 'fake-image',
      prompt: 'a kite',
      delay_ms: 5000,
      progress: 0.5,
    })
    return { job, isSame: page.shown!.generate === page.shown!.generate }
  })
  await vi.waitFor(async () => expect(await status(opened)).toBe('completed'), { timeout: 60_000 })
  const shown = await opened.evaluate(() => page.shown)
  expect(shown?.job).toEqual(given.job)
  expect(shown).toMatchObject({ job: { status: 'completed' }, progress: { progress: 1 } })
  const rendered = await opened.evaluate(() => page.rendered)
  expect([...new Set(rendered)]).toEqual(['idle', 'processing', 'processing 0.5', 'completed 1'])
  expect(seen.paths.filter((path) => path.startsWith('/v1/generate'))).toEqual(['/v1/generate'])
  expect(complaints).toEqual([])
})

test('useGeneration shows the last of several generations, whichever ends first', async () => {
  const { opened, seen } = await openComponent()
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
  await vi.waitFor(async () => expect(await status(opened)).toBe('completed'), { timeout: 60_000 })
  expect(await opened.evaluate(() => page.shown?.job?.input['prompt'])).toBe('third')
  expect(seen.streams).toBe(0)
})

test('useGeneration shows the error of a failed job, and reset removes it', async () => {
  const { opened } = await openComponent()
  const input = {
    model: 'fake-image',
    prompt: 'a kite',
    fail: 'content_policy',
    fail_message: 'No kites today.',
  }
  expect(await opened.evaluate((given) => page.shown!.generate(given), input)).toBe(undefined)
  await vi.waitFor(async () => expect(await status(opened)).toBe('failed'), { timeout: 60_000 })
  expect(
    await opened.evaluate(() => [
      page.shown?.error?.code,
      page.shown?.error?.message,
      page.shown?.job?.status,
    ]),
  ).toEqual(['content_policy', 'No kites today.', 'failed'])
  await opened.evaluate(() => page.shown!.reset())
  await vi.waitFor(async () => expect(await status(opened)).toBe('idle'), { timeout: 60_000 })
  expect(await opened.evaluate(() => [page.shown?.error, page.shown?.job])).toEqual([undefined, undefined])
})

test('cancel of useGeneration cancels the job, also before the service has answered the create', async () => {
  const { opened } = await openComponent()
  const start = () => void page.shown!.generate({ model: 'fake-image', prompt: 'a kite', delay_ms: 600_000 })
  for (const isEarly of [true, false]) {
    await opened.evaluate(() => page.shown!.reset())
    await opened.evaluate(start)
    if (!isEarly) await opened.waitForFunction(() => page.shown?.job)
    await opened.evaluate(() => page.shown!.cancel())
    await vi.waitFor(async () => expect(await status(opened)).toBe('failed'), { timeout: 60_000 })
    expect(await opened.evaluate(() => page.shown?.error?.code)).toBe('canceled')
  }
  await opened.evaluate(() => page.shown!.cancel())
  expect(await opened.evaluate(() => page.shown?.error?.code)).toBe('canceled')
})

test('useGeneration stops following its job when its component is unmounted, and generates after a new mount', async () => {
  const { opened, seen, complaints } = await openComponent()
  await opened.evaluate(
    () => void page.shown!.generate({ model: 'fake-image', prompt: 'a kite', delay_ms: 600_000 }),
  )
  await vi.waitFor(() => expect(seen.streams).toBe(1), { timeout: 60_000 })
  await opened.evaluate(() => page.unmount())
  await vi.waitFor(() => expect(seen.streams).toBe(0), { timeout: 60_000 })
  await opened.evaluate(() => page.mount())
  await opened.waitForSelector('p')
  const job = await opened.evaluate(() => page.shown!.generate({ model: 'fake-image', prompt: 'a kite' }))
  expect(job?.status).toBe('completed')
  expect(seen.paths.filter((path) => path.endsWith('/cancel'))).toEqual([])
  expect(complaints).toEqual([])
})
