// @module-tag needs/chromium
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fakeProvider } from '@genmount/testing'
import { toStandardJsonSchema } from '@valibot/to-json-schema'
import type { AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'
import * as v from 'valibot'
import { expect, test } from 'vitest'
import { openPlayground, openTab, servePlayground } from './playground-world.ts'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** What axe finds that is serious or critical, one line each. */
async function seriousIn(page: Page): Promise<string[]> {
  // The debugger evaluates the script, because the page's policy runs no script of others.
  await page.evaluate(axe)
  const { violations } = await page.evaluate(() =>
    (globalThis as unknown as { axe: { run(): Promise<AxeResults> } }).axe.run(),
  )
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
}

const every = v.strictObject({
  prompt: v.string(),
  image: v.optional(v.string()),
  mask: v.optional(v.string()),
  aspect_ratio: v.optional(v.picklist(['1:1', '16:9', '9:16'])),
  style: v.optional(v.picklist(['photo', 'drawing', 'painting', 'sculpture', 'anything at all'])),
  guidance: v.optional(v.pipe(v.number(), v.minValue(0), v.maxValue(20))),
  sound: v.optional(v.boolean()),
  seed: v.optional(v.pipe(v.number(), v.integer())),
  options: v.optional(v.record(v.string(), v.string())),
})

test.each(['light', 'dark'] as const)(
  'axe finds nothing serious in any state of the page in %s colours',
  async (colorScheme) => {
    const everyField = { id: 'every-field', outputKind: 'image' as const, input: toStandardJsonSchema(every) }
    const { models } = fakeProvider()
    const world = await servePlayground({ providers: [fakeProvider({ models: [...models, everyField] })] })
    const options = { colorScheme }
    const found: Record<string, string[]> = {}
    const door = await openTab(world.origin, options)
    await door.page.goto(world.origin)
    found['door'] = await seriousIn(door.page)

    const { page, choose, write, set, generate, card } = await openPlayground(world, options)
    const look = async (state: string) => void (found[state] = await seriousIn(page))
    await look('empty')
    await generate()
    await look('a field that is needed')
    await write('a kite')
    await set({ 'Delay ms': '60000', Progress: '0.5' })
    await generate()
    await card.getByText('50 % done').waitFor()
    await look('running')
    await set({ 'Delay ms': '0', Fail: 'provider_failed' })
    await generate()
    await card.getByText('The provider could not make it').waitFor()
    await look('failed')
    await choose('every-field')
    await generate()
    await card.getByRole('img', { name: 'a kite' }).waitFor()
    await page.getByText('More settings').click()
    await look('finished, and every kind of field')
    await card.getByRole('button', { name: 'Copy as code' }).last().click()
    await look('code')
    await page.keyboard.press('Escape')
    await page.locator('.model-button').click()
    await look('models')
    await page.keyboard.press('Escape')
    await card.getByRole('button', { name: 'Use as input' }).click()
    await page.getByText(/is ready/).waitFor({ state: 'attached' })
    await page.getByRole('button', { name: 'Paint a mask' }).click()
    await look('mask')
    expect(Object.entries(found).filter(([, lines]) => lines.length > 0)).toEqual([])
  },
)

test('a picture is made with the keyboard alone', async () => {
  const world = await servePlayground()
  const { page } = await openTab(world.origin)
  await page.goto(world.origin)
  await page.keyboard.type('alice-key-0123456789')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Generate' }).waitFor()
  expect(await page.locator(':focus').getAttribute('name', { timeout: 5000 })).toBe('prompt')
  const goTo = async (name: RegExp) => {
    for (let step = 0; step < 60; step++) {
      await page.keyboard.press('Tab')
      const words = await page.evaluate(() => {
        const { activeElement: focused } = document
        return focused === document.body ? '' : `${focused?.getAttribute('name')} ${focused?.textContent}`
      })
      if (name.test(words)) return
    }
    throw new Error(`Tab does not lead to ${name}.`)
  }
  await goTo(/fake-image/)
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').waitFor()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.locator('.model-button').getByText('fake-video').waitFor()
  expect(await page.locator(':focus').textContent()).toContain('fake-video')
  await goTo(/prompt/)
  await page.keyboard.type('a kite')
  await page.keyboard.press('Control+Enter')
  await page.locator('video.media').waitFor()
  await goTo(/Copy as code/)
  await page.keyboard.press('Enter')
  await page.getByRole('dialog', { name: 'This request as code' }).waitFor()
  await page.keyboard.press('Escape')
  expect(await page.locator(':focus').textContent()).toContain('Copy as code')
})

test('the key is changed with the keyboard alone', async () => {
  const world = await servePlayground()
  const { page } = await openTab(world.origin)
  await page.goto(world.origin)
  for (let change = 0; change < 2; change++) {
    await page.keyboard.type('alice-key-0123456789')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Change key' }).focus()
    await page.keyboard.press('Enter')
    await page.getByLabel('API key').waitFor()
    expect(await page.locator(':focus').getAttribute('id')).toBe('key')
  }
})

test.each([390, 768, 1280, 1920])('the page does not scroll sideways at %i pixels', async (width) => {
  const world = await servePlayground()
  const { page, write, generate, card } = await openPlayground(world, { viewport: { width, height: 900 } })
  await write('a kite '.repeat(40) + 'x'.repeat(200))
  await page.getByText('More settings').click()
  await generate()
  await card.locator('img.media').waitFor()
  await card.getByText('Details').click()
  const widths = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth])
  expect(widths[0]).toBe(widths[1])
})
