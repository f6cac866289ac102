// @module-tag needs/chromium
import { proceduralProvider } from '@genmount/provider-procedural'
import { expect, test } from 'vitest'
import { openPlayground, servePlayground } from './playground-world.ts'

test('the playground shows the progress and frames of a film while it is made, and plays it at the end', async () => {
  const world = await servePlayground({ providers: [proceduralProvider()] })
  const { page, problems, choose, write, generate, card } = await openPlayground(world)
  await choose('procedural-video')
  await write('northern lights')
  await page.getByRole('radio', { name: '480p' }).check()
  await generate()
  const preview = card.getByRole('img', { name: 'Preview' })
  const shown = preview.waitFor({ timeout: 60_000 }).then(() => preview.getAttribute('src'))
  const progress = card.getByRole('progressbar')
  await expect.poll(async () => Number(await progress.getAttribute('value'))).toBeGreaterThan(0)
  expect(await shown).toMatch(/^data:image\/jpeg;base64,/)
  const film = card.locator('video')
  await film.waitFor({ timeout: 60_000 })
  const duration = () => film.evaluate((video: HTMLVideoElement) => video.duration)
  await expect.poll(duration).toBeCloseTo(3, 0)
  await page.getByRole('status').getByText('Finished: northern lights').waitFor({ state: 'attached' })
  expect(problems).toEqual([])
})

test('the playground makes several pictures at a time, each with its own seed', async () => {
  const world = await servePlayground({ providers: [proceduralProvider()] })
  const { page, problems, service, write, generate, card } = await openPlayground(world)
  await write('a quiet forest')
  await page.getByRole('radio', { name: '480p' }).check()
  await page.getByLabel('Seed', { exact: true }).fill('7')
  await page.getByRole('radio', { name: '3×' }).check()
  await generate()
  await expect.poll(() => card.getByRole('img', { name: 'a quiet forest' }).count()).toBe(3)
  const { jobs } = await service.list({ owner: 'alice' })
  expect(jobs.map(({ shownInput }) => shownInput['seed']).toSorted()).toEqual([7, 8, 9])
  expect(problems).toEqual([])
})
