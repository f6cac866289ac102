// @module-tag needs/chromium
import { fakeProvider } from '@genmount/testing'
import { toStandardJsonSchema } from '@valibot/to-json-schema'
import * as v from 'valibot'
import { expect, test } from 'vitest'
import { key, openPlayground, openTab, servePlayground, signIn } from './playground-world.ts'

test('a job of the playground has an address, at which its picture and its JSON are shown', async () => {
  const { page, origin, write, generate, card } = await openPlayground(await servePlayground())
  await write('a kite')
  await generate()
  await card.getByRole('img', { name: 'a kite' }).waitFor()
  await card.getByText('Details').click()
  const address = await card.getByRole('link', { name: /^gen_/ }).getAttribute('href')
  await write('a boat')
  await generate()
  await card.getByRole('img', { name: 'a boat' }).waitFor()
  await page.goto(`${origin}/${address}`)
  await card.getByRole('img', { name: 'a kite' }).waitFor()
  expect(await card.count()).toBe(1)
  await card.getByText('Details').click()
  await card.getByText('JSON', { exact: true }).click()
  const json = await card.getByLabel('The job as JSON').textContent()
  expect(JSON.parse(json ?? '')).toMatchObject({ object: 'generation', input: { prompt: 'a kite' } })
})

test('a model of the playground has an address, which the page shows once the user chooses the model', async () => {
  const { page, origin, choose } = await openPlayground(await servePlayground())
  await choose('fake-video')
  await expect.poll(() => page.url()).toBe(`${origin}/#model=fake-video`)
  const other = await openTab(origin)
  await other.page.goto(page.url())
  await signIn(other.page)
  await other.page.locator('.model-button').getByText('fake-video').waitFor()
})

test('four versions stand two by two, and each has its own seed', async () => {
  const input = toStandardJsonSchema(
    v.strictObject({ prompt: v.string(), seed: v.pipe(v.number(), v.integer()) }),
  )
  const models = [{ id: 'seeded', outputKind: 'image' as const, input }]
  const world = await servePlayground({ providers: [fakeProvider({ models })] })
  const { page, service, write, generate, card } = await openPlayground(world)
  await write('a kite')
  await page.getByRole('radio', { name: '4×' }).check({ force: true })
  await generate()
  await expect.poll(() => card.count()).toBe(4)
  const places = await card.evaluateAll((cards) =>
    cards.map((one) => {
      const { left, top } = one.getBoundingClientRect()
      return [Math.round(left), Math.round(top)]
    }),
  )
  expect(new Set(places.map(([left]) => left)).size).toBe(2)
  expect(new Set(places.map(([, top]) => top)).size).toBe(2)
  const { jobs } = await service.list({ owner: 'alice' })
  expect(new Set(jobs.map(({ shownInput }) => shownInput['seed'])).size).toBe(4)
})

test('a visitor sees that the key is shared, and finds the way back from the field for another key', async () => {
  const { origin } = await servePlayground({ playground: { publicKey: key } })
  const { page, problems } = await openTab(origin)
  await page.goto(origin)
  await page.getByText('The demo key is shared').waitFor()
  await page.getByRole('button', { name: 'Shared demo key' }).click()
  await page.getByRole('button', { name: 'Go back to the key before' }).click()
  await page.getByRole('button', { name: 'Generate' }).waitFor()
  expect(problems).toEqual([])
})
