// @module-tag needs/chromium
import { expect, test } from 'vitest'
import { createEachState, hostileOwner, openOperator, serveOperator } from './operator-world.ts'

test('an operator sees what runs and why it waits, what has failed and why, and which webhooks are owed', async () => {
  const world = await serveOperator()
  const { running, failed, completed, owing } = await createEachState(world)
  const { page, list, row, problems } = await openOperator(world)
  await row(running.id)
    .getByText(/Waits for fake to make it; .* the next poll is/)
    .waitFor()
  await expect.poll(() => row(failed.id).count()).toBe(0)
  await page.getByText('breaker closed').waitFor()
  await page.getByText('You are maria.').waitFor()
  await list('Failed').click()
  await row(failed.id).getByText('provider_rejected').waitFor()
  await expect.poll(() => row(running.id).count()).toBe(0)
  await list('Owing').click()
  await row(owing.id).getByText('https://receiver.example/503').waitFor()
  await expect.poll(() => row(completed.id).count()).toBe(0)
  await list('All').click()
  for (const { id } of [running, failed, completed, owing]) await row(id).waitFor()
  expect(problems).toEqual([])
})

test('one field finds a job by its id, by its owner and by the id of its task at the vendor, and says for what it has looked', async () => {
  const world = await serveOperator()
  const { running, failed, hostile } = await createEachState(world)
  const { page, row } = await openOperator(world)
  const search = async (text: string) => {
    await page.getByRole('searchbox').fill(text)
    await page.keyboard.press('Enter')
  }
  const { handle } = await world.service.get(running.id, 'alice')
  const task = (handle as { readonly id: string }).id
  await search(task)
  await page
    .getByText(`Looked for the vendor’s id “${task}” (1 job) and for the owner “${task}” (none).`)
    .waitFor()
  await row(running.id).waitFor()
  await expect.poll(() => row(failed.id).count()).toBe(0)
  await search('alice')
  await page.getByText(/the owner “alice” \(4 jobs\)/).waitFor()
  await row(failed.id).waitFor()
  await expect.poll(() => row(hostile.id).count()).toBe(0)
  await search('nobody')
  await page.getByText('No job fits.').waitFor()
  await search(failed.id)
  await page.getByRole('heading', { name: failed.id }).waitFor()
  expect(new URL(page.url()).hash).toBe(`#/jobs/${failed.id}`)
})

test('filters by owner and model stand in the address, and a job leads back to the list that was left', async () => {
  const world = await serveOperator()
  const { running, hostile } = await createEachState(world)
  const { page, row, go } = await openOperator(world)
  await row(running.id).waitFor()
  await page.getByLabel('Only jobs of this owner').fill(hostileOwner)
  await page.keyboard.press('Enter')
  await expect.poll(() => row(running.id).count()).toBe(0)
  await row(hostile.id).waitFor()
  await page.getByLabel('Model').selectOption('fake-video')
  await page.getByText('No job fits.').waitFor()
  const { hash } = new URL(page.url())
  await go(`#/jobs/${running.id}`)
  await page.getByRole('link', { name: 'All jobs' }).click()
  await page.getByText('No job fits.').waitFor()
  expect(new URL(page.url()).hash).toBe(hash)
  await page.getByRole('link', { name: 'Clear' }).click()
  await row(running.id).waitFor()
})

test('a list of many jobs has pages', async () => {
  const world = await serveOperator()
  const jobs = []
  for (let count = 0; count < 55; count++) jobs.push(await world.create({ delay_ms: 600_000 }))
  const { page, row } = await openOperator(world)
  await row(jobs.at(-1)!.id).waitFor()
  expect(await row(jobs[0]!.id).count()).toBe(0)
  await page.getByRole('button', { name: 'Older' }).click()
  await row(jobs[0]!.id).waitFor()
  expect(await page.getByRole('button', { name: 'Older' }).isDisabled()).toBe(true)
  await page.getByRole('button', { name: 'Newer' }).click()
  await row(jobs.at(-1)!.id).waitFor()
})

test('the list follows the jobs, and stops while nobody sees the page', async () => {
  const world = await serveOperator()
  const { page, row } = await openOperator(world)
  await page.getByText('No job is running.').waitFor()
  const first = await world.create({ delay_ms: 600_000 })
  await row(first.id).waitFor()
  const asked: string[] = []
  page.on('request', (request) => void asked.push(request.url()))
  const setHidden = (isHidden: boolean) =>
    page.evaluate(
      (state) => {
        Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => state })
        document.dispatchEvent(new Event('visibilitychange'))
      },
      isHidden ? 'hidden' : 'visible',
    )
  await page.clock.install()
  await setHidden(true)
  await page.waitForLoadState('networkidle')
  asked.length = 0
  await page.clock.runFor(60_000)
  expect(asked).toEqual([])
  await setHidden(false)
  await expect.poll(() => asked.length).toBeGreaterThan(1)
})
