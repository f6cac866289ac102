// @module-tag needs/chromium
import { expect, test } from 'vitest'
import { createEachState, openOperator, serveOperator } from './operator-world.ts'
import { testAccessiblePlaces } from './test-accessible-places.ts'

testAccessiblePlaces('light', 'any rule', {})
testAccessiblePlaces('dark', 'the contrast of colours', { runOnly: ['color-contrast'] })

test('the page of operators does not scroll sideways in a window of 390, 768, 1024 or 1440 pixels, whatever a job contains', async () => {
  const world = await serveOperator()
  const { hostile, failed, owing } = await createEachState(world)
  const { page, go } = await openOperator(world)
  const places = {
    '#/jobs': hostile.id,
    '#/jobs?state=all': owing.id,
    [`#/jobs/${hostile.id}`]: 'Input',
    [`#/jobs/${failed.id}`]: 'Input',
    '#/spend?owner=alice': 'By owner',
    '#/keys': 'key-1',
    '#/audit': 'No operator',
    '#/webhooks': 'URL of the receiver',
  }
  for (const [place, text] of Object.entries(places)) {
    await go(place)
    await page.getByText(text).first().waitFor()
    for (const width of [390, 768, 1024, 1440]) {
      await page.setViewportSize({ width, height: 900 })
      const widths = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth])
      expect([place, ...widths]).toEqual([place, width, width])
    }
  }
})

test('an operator finds a job and cancels it with the keyboard alone', async () => {
  const world = await serveOperator()
  const { running } = await createEachState(world)
  const { page, row } = await openOperator(world)
  await row(running.id).waitFor()
  const goTo = async (name: RegExp) => {
    for (let step = 0; step < 60; step++) {
      await page.keyboard.press('Tab')
      const words = await page.evaluate(() => {
        const { activeElement: focused } = document
        return focused === document.body
          ? ''
          : `${focused?.getAttribute('aria-label')} ${focused?.textContent}`
      })
      if (name.test(words)) return
    }
    throw new Error(`Tab does not lead to ${name}.`)
  }
  await goTo(new RegExp(running.id))
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: running.id }).waitFor()
  await page.getByRole('button', { name: 'Cancel', exact: true }).waitFor()
  await goTo(/Cancel$/)
  await page.keyboard.press('Enter')
  await page.getByRole('dialog', { name: 'Cancel this job' }).waitFor()
  expect(await page.locator(':focus').evaluate(({ tagName }) => tagName)).toBe('TEXTAREA')
  await page.keyboard.type('It is stuck.')
  await goTo(/Cancel$/)
  await page.keyboard.press('Enter')
  await page
    .getByRole('dialog')
    .getByText(/is canceled/)
    .waitFor()
  await page.keyboard.press('Escape')
  expect(await page.locator(':focus').textContent()).toBe('Cancel')
})
