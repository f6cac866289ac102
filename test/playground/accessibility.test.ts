// @module-tag needs/chromium
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fakeProvider } from '@genmount/testing'
import { toStandardJsonSchema } from '@valibot/to-json-schema'
import type { AxeResults, RunOptions } from 'axe-core'
import type { Page } from 'playwright-core'
import * as v from 'valibot'
import { expect, test } from 'vitest'
import { openPlayground, openTab, servePlayground } from './playground-world.ts'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Serious and critical faults by the rules of axe with these tags, one line each. */
async function seriousFaults(page: Page, rules: RunOptions): Promise<string[]> {
  // The debugger evaluates the script, because the page's policy runs no script of others.
  await page.evaluate(`globalThis.axe ?? ${axe}`)
  const { violations } = await page.evaluate(
    (options) =>
      (globalThis as unknown as { axe: { run(options: RunOptions): Promise<AxeResults> } }).axe.run(options),
    rules,
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

test.each<['light' | 'dark', string, RunOptions]>([
  ['light', 'any rule', {}],
  // The other rules do not look at colours, so light colours are enough for them.
  ['dark', 'the rules about colours', { runOnly: ['cat.color'] }],
])(
  'in %s colours, axe finds no serious fault by %s in any state of the playground',
  async (colorScheme, _which, rules) => {
    const everyField = { id: 'every-field', outputKind: 'image' as const, input: toStandardJsonSchema(every) }
    const { models } = fakeProvider()
    const world = await servePlayground({ providers: [fakeProvider({ models: [...models, everyField] })] })
    const options = { colorScheme }
    const faults: Record<string, string[]> = {}
    const door = await openTab(world.origin, options)
    await door.page.goto(world.origin)
    faults['door'] = await seriousFaults(door.page, rules)

    const { page, choose, write, set, generate, card } = await openPlayground(world, options)
    const look = async (state: string) => void (faults[state] = await seriousFaults(page, rules))
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
    expect(Object.entries(faults).filter(([, lines]) => lines.length > 0)).toEqual([])
  },
)

test('a user makes a picture in the playground with the keyboard alone', async () => {
  const world = await servePlayground()
  const { page } = await openTab(world.origin)
  await page.goto(world.origin)
  await page.keyboard.type('alice-key-0123456789')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Generate' }).waitFor()
  expect(await page.locator(':focus').getAttribute('name')).toBe('prompt')
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

test('a user changes the API key in the playground with the keyboard alone', async () => {
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

test('the playground does not scroll sideways in a window of 390, 768, 1280 or 1920 pixels', async () => {
  const world = await servePlayground()
  const viewport = { width: 390, height: 900 }
  const { page, write, generate, card } = await openPlayground(world, { viewport })
  await write('a kite '.repeat(40) + 'x'.repeat(200))
  await page.getByText('More settings').click()
  await generate()
  await card.locator('img.media').waitFor()
  await card.getByText('Details').click()
  for (const width of [390, 768, 1280, 1920]) {
    await page.setViewportSize({ width, height: 900 })
    const widths = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth])
    expect(widths).toEqual([width, width])
  }
})
