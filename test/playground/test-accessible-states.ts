import { fakeProvider } from '@genmount/testing'
import { toStandardJsonSchema } from '@valibot/to-json-schema'
import type { RunOptions } from 'axe-core'
import * as v from 'valibot'
import { expect, test } from 'vitest'
import { seriousFaults } from '../browsers/serious-faults.ts'
import { openPlayground, openTab, servePlayground } from './playground-world.ts'

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

/** Declares a test that axe finds no serious fault by these rules in any state of the playground. */
export function testAccessibleStates(colorScheme: 'light' | 'dark', which: string, rules: RunOptions): void {
  test(`in ${colorScheme} colours, axe finds no serious fault by ${which} in any state of the playground`, async () => {
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
    await card.getByRole('button', { name: 'Use as input' }).first().click()
    await page.getByText(/is ready/).waitFor({ state: 'attached' })
    await page.getByRole('button', { name: 'Paint a mask' }).click()
    await look('mask')
    expect(Object.entries(faults).filter(([, lines]) => lines.length > 0)).toEqual([])
  })
}
