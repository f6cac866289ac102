// @module-tag needs/chromium
import { fakeProvider, manualClock } from '@genmount/testing'
import { expect, test } from 'vitest'
import { startTcpProxy } from '../start-tcp-proxy.ts'
import { formOf, openPlayground, openTab, servePlayground, signIn } from './playground-world.ts'

test('the playground shows a running job and its prompt again after a reload', async () => {
  const clock = manualClock()
  const world = await servePlayground({ providers: [fakeProvider({ clock })] })
  const { page, problems, write, set, generate, card } = await openPlayground(world)
  await write('a kite')
  await set({ 'Delay ms': '6000', Progress: '0.25' })
  await generate()
  await card.getByText('25 % done').waitFor()
  await page.reload()
  await card.getByText('25 % done').waitFor()
  expect(await page.getByLabel('Prompt', { exact: true }).inputValue()).toBe('a kite')
  await clock.advance(6000)
  await card.getByRole('img', { name: 'a kite' }).waitFor({ timeout: 60_000 })
  expect((await world.service.list({ owner: 'alice' })).jobs).toHaveLength(1)
  expect(problems).toEqual([])
})

test('the playground says on the card and on the button that the service does not answer, and shows the job when it is back', async () => {
  const clock = manualClock()
  const { origin, service } = await servePlayground({ providers: [fakeProvider({ clock })] })
  const proxy = await startTcpProxy(Number(new URL(origin).port))
  const address = `http://127.0.0.1:${proxy.port}`
  const { page } = await openTab(address)
  await page.goto(address)
  await signIn(page)
  const { write, set, generate, card } = formOf(page)
  await write('a kite')
  await set({ 'Delay ms': '8000' })
  await generate()
  await card.getByRole('progressbar').waitFor()
  proxy.cut(true)
  await clock.advance(8000)
  await expect
    .poll(async () => (await service.list({ owner: 'alice' })).jobs[0]?.phase, { timeout: 60_000 })
    .toBe('completed')
  await card.getByText('The service does not answer. Nothing is lost').waitFor({ timeout: 60_000 })
  await set({ 'Delay ms': '0' })
  await generate()
  await page.getByRole('button', { name: 'The service does not answer' }).waitFor()
  proxy.cut(false)
  await card.getByRole('img', { name: 'a kite' }).first().waitFor({ timeout: 60_000 })
  await page.getByRole('button', { name: 'Generate' }).waitFor({ timeout: 60_000 })
  expect((await service.list({ owner: 'alice' })).jobs).toHaveLength(2)
})

test('the playground shows an error when the service is away at its start, and tries again with the same key', async () => {
  const { origin } = await servePlayground()
  const { page } = await openTab(origin)
  // The client waits before it asks again.
  await page.clock.install()
  await page.goto(origin)
  await page.route('**/v1/**', (route) => route.fulfill({ status: 500, body: 'no' }))
  await signIn(page)
  await expect
    .poll(async () => {
      await page.clock.fastForward(5000)
      return page.getByRole('alert').isVisible()
    })
    .toBe(true)
  await page.unroute('**/v1/**')
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('button', { name: 'Generate' }).waitFor()
})

test('the playground says that the browser is offline', async () => {
  const { page } = await openPlayground(await servePlayground())
  await page.context().setOffline(true)
  await page.getByRole('status').getByText('You are offline.').waitFor()
  await page.context().setOffline(false)
  await page.getByText('You are offline.').waitFor({ state: 'detached' })
})

test('the playground makes a picture while eight other jobs run', async () => {
  const { page, problems, write, set, generate, card } = await openPlayground(await servePlayground())
  await write('a kite')
  await set({ 'Delay ms': '60000' })
  await page.getByRole('radio', { name: '4×' }).check()
  await generate()
  await expect.poll(() => card.count()).toBe(4)
  await generate()
  await expect.poll(() => card.count()).toBe(8)
  await page.getByRole('radio', { name: '1×' }).check()
  await set({ 'Delay ms': '0' })
  await generate()
  await card.getByRole('img', { name: 'a kite' }).waitFor({ timeout: 60_000 })
  expect(problems).toEqual([])
})
