import type { RunOptions } from 'axe-core'
import { expect, test } from 'vitest'
import { openTab } from '../browsers/open-tab.ts'
import { seriousFaults } from '../browsers/serious-faults.ts'
import { createEachState, openOperator, serveOperator } from './operator-world.ts'

/** Declares a test that axe finds no serious fault by these rules in any place of the page of operators. */
export function testAccessiblePlaces(colorScheme: 'light' | 'dark', which: string, rules: RunOptions): void {
  test(`in ${colorScheme} colours, axe finds no serious fault by ${which} in any place of the page of operators`, async () => {
    const world = await serveOperator()
    const { running, failed, owing, hostile } = await createEachState(world)
    const faults: Record<string, string[]> = {}
    const door = await openTab(world.origin, { colorScheme })
    await door.page.goto(`${world.origin}/operator`)
    faults['door'] = await seriousFaults(door.page, rules)
    const { page, go, row } = await openOperator(world, { colorScheme })
    const look = async (state: string) => void (faults[state] = await seriousFaults(page, rules))
    await row(running.id).waitFor()
    await look('running')
    await go('#/jobs?state=failed')
    await row(failed.id).waitFor()
    await look('failed')
    for (const [name, { id }] of Object.entries({ running, failed, owing, hostile })) {
      await go(`#/jobs/${id}`)
      await page.getByRole('region', { name: 'Input' }).waitFor()
      await look(`job: ${name}`)
    }
    await page.getByRole('button', { name: 'Cancel', exact: true }).click()
    await look('dialog')
    await page.keyboard.press('Escape')
    await go('#/spend?owner=alice')
    await page.getByRole('region', { name: 'By owner' }).waitFor()
    await look('spend')
    for (const place of ['keys', 'audit', 'webhooks']) {
      await go(`#/${place}`)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await look(place)
    }
    expect(Object.entries(faults).filter(([, lines]) => lines.length > 0)).toEqual([])
  })
}
