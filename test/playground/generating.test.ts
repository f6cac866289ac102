// @module-tag needs/chromium
import { readFile } from 'node:fs/promises'
import { fakeFile, fakeProvider, manualClock } from '@genmount/testing'
import { proceduralProvider } from '@genmount/provider-procedural'
import { expect, test } from 'vitest'
// The deep suite follows a film, and has three pictures made at a time.
import { openPlayground, openTab, servePlayground, signIn } from './playground-world.ts'

test('the playground says that an API key is wrong, and keeps a right one only until the tab is closed', async () => {
  const { origin } = await servePlayground()
  const { page } = await openTab(origin)
  await page.goto(origin)
  await signIn(page, 'no-such-key-0123456789')
  await page.getByRole('alert').getByText('This key is not valid').waitFor()
  await signIn(page)
  await page.getByRole('button', { name: 'Generate' }).waitFor()
  await page.reload()
  await page.getByRole('button', { name: 'Generate' }).waitFor()
  const kept = await page.evaluate(() => [Object.keys(localStorage), document.cookie, location.href])
  expect(kept).toEqual([[], '', `${origin}/`])
  const other = await page.context().newPage()
  await other.goto(origin)
  await other.getByLabel('API key').waitFor()
})

test('the playground shows a picture large, and downloads the bytes of its file', async () => {
  const { page, problems, write, generate, card } = await openPlayground(await servePlayground())
  await write('a kite')
  await generate()
  const shown = card.getByRole('img', { name: 'a kite' })
  await expect.poll(() => shown.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBe(8)
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    card.getByRole('link', { name: 'Download' }).click(),
  ])
  expect(download.suggestedFilename()).toMatch(/^gen_\w+-0\.png$/)
  expect(new Uint8Array(await readFile(await download.path()))).toEqual(fakeFile('image').bytes)
  await card.getByText('$0.01').waitFor()
  expect(problems).toEqual([])
})

test('the playground shows the place in the queue and a preview while a job runs', async () => {
  const { problems, write, set, page, generate, card } = await openPlayground(await servePlayground())
  await write('a kite')
  await set({ 'Delay ms': '30000', 'Queue position': '3' })
  await page.getByLabel('Preview').check()
  await generate()
  await card.getByText('In the queue, 3 jobs before').waitFor({ timeout: 60_000 })
  await card.getByRole('img', { name: 'Preview' }).waitFor({ timeout: 60_000 })
  expect(problems).toEqual([])
})

test('the playground shows why a job has failed', async () => {
  const { problems, write, set, generate, card, gallery } = await openPlayground(await servePlayground())
  await write('a kite')
  await set({ Fail: 'content_policy', 'Fail message': 'No kites, please.' })
  await generate()
  await card.getByText('The content rules do not allow this').waitFor()
  await card.locator('.media-words').getByText('No kites, please.').waitFor()
  await gallery
    .getByRole('button', { name: /^a kite The content rules do not allow this kept for/ })
    .waitFor()
  expect(problems).toEqual([])
})

test('the playground shows a refusal of the service at the field that is wrong', async () => {
  const { page, write, set, generate } = await openPlayground(await servePlayground())
  await generate()
  await page.getByText('Prompt is needed.').waitFor()
  expect(await page.getByLabel('Prompt', { exact: true }).getAttribute('aria-invalid')).toBe('true')
  await write('a kite')
  await set({ 'Delay ms': '-5' })
  await generate()
  await page.getByText('Delay ms must be').waitFor()
})

test('the playground cancels a job that runs and deletes a job that has ended', async () => {
  const world = await servePlayground({ providers: [fakeProvider({ cancel: true })] })
  const { problems, service, write, set, generate, card, gallery } = await openPlayground(world)
  await write('a kite')
  await set({ 'Delay ms': '60000' })
  await generate()
  await card.getByRole('button', { name: 'Cancel' }).click()
  await card.getByText('Canceled', { exact: true }).waitFor({ timeout: 60_000 })
  await card.getByRole('button', { name: 'Delete' }).click()
  await card.getByRole('button', { name: 'Delete it?' }).click()
  await gallery.getByText('Nothing has been made with this key yet.').waitFor()
  expect((await service.list({ owner: 'alice' })).jobs).toEqual([])
  expect(problems).toEqual([])
})

test('the playground frees the memory of the picture of a job that the user deletes', async () => {
  const { page, problems, write, generate, card, gallery } = await openPlayground(await servePlayground())
  await write('a kite')
  await generate()
  const src = await card.locator('img').getAttribute('src')
  const opens = () =>
    page.evaluate(
      (src) =>
        new Promise((resolve) => {
          const picture = new Image()
          picture.addEventListener('load', () => resolve(true))
          picture.addEventListener('error', () => resolve(false))
          picture.src = src
        }),
      src ?? '',
    )
  expect(src).toMatch(/^blob:/)
  expect(await opens()).toBe(true)
  await card.getByRole('button', { name: 'Delete' }).click()
  await card.getByRole('button', { name: 'Delete it?' }).click()
  await gallery.getByText('Nothing has been made with this key yet.').waitFor()
  expect(await opens()).toBe(false)
  expect(problems).toEqual([expect.stringContaining('ERR_FILE_NOT_FOUND')])
})

test('the playground shows and downloads each of several outputs', async () => {
  const { page, problems, write, generate, card } = await openPlayground(await servePlayground())
  await write('a kite')
  await page.getByLabel('Number of outputs').fill('2')
  await generate()
  await card.getByRole('radio', { name: '2' }).check()
  const link = card.getByRole('link', { name: 'Download' })
  await expect.poll(() => link.getAttribute('download')).toMatch(/-1\.png$/)
  const [download] = await Promise.all([page.waitForEvent('download'), link.click()])
  expect(new Uint8Array(await readFile(await download.path()))).toEqual(fakeFile('image', 1).bytes)
  expect(problems).toEqual([])
})

test('nothing below a job moves when its picture appears in the playground', async () => {
  const clock = manualClock()
  const world = await servePlayground({ providers: [fakeProvider({ clock })] })
  const { write, set, page, generate, card, gallery } = await openPlayground(world)
  await write('a kite')
  await set({ 'Delay ms': '60000' })
  await generate()
  await card.getByRole('progressbar').waitFor()
  const bottom = () => page.locator('.screen').evaluate((screen) => screen.getBoundingClientRect().bottom)
  const before = await bottom()
  await clock.advance(60_000)
  await card.getByRole('img', { name: 'a kite' }).waitFor({ timeout: 60_000 })
  expect(await bottom()).toBe(before)
  await gallery.waitFor()
})

test('the button of the playground says about what the jobs cost, by the prices that the models show', async () => {
  const models = fakeProvider().models.map((model) => ({
    ...model,
    price: { text: '0.02 USD per image', per: 'image', usd: 0.02 },
  }))
  const { page, set, write } = await openPlayground(
    await servePlayground({ providers: [fakeProvider({ models })] }),
  )
  const dryRuns: string[] = []
  page.on('request', (request) => request.url().includes('dry_run') && dryRuns.push(request.url()))
  const button = (name: string) => page.getByRole('button', { name, exact: true }).waitFor()
  await button('Generate, about $0.02')
  await write('a kite')
  await set({ 'Number of outputs': '2' })
  await button('Generate, about $0.04')
  await page.getByRole('radio', { name: '3×' }).check({ force: true })
  await button('Generate 3, about $0.12')
  expect(dryRuns).toEqual([])
})

test('the playground compares two models, and sends to each the fields that it has', async () => {
  const world = await servePlayground({ providers: [fakeProvider(), proceduralProvider()] })
  const { page, service, write, card } = await openPlayground(world)
  await page.getByRole('button', { name: 'Compare with another model' }).click()
  await page.getByRole('option', { name: /procedural-image/ }).click()
  await write('a kite')
  await page.getByRole('radio', { name: '480p' }).check()
  await page.getByRole('button', { name: 'Generate 2' }).click()
  await expect.poll(() => card.getByRole('img', { name: 'a kite' }).count()).toBe(2)
  const { jobs } = await service.list({ owner: 'alice' })
  expect(jobs.map(({ model }) => model).toSorted()).toEqual(['fake-image', 'procedural-image'])
})
