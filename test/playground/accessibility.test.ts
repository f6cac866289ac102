// @module-tag needs/chromium
import { expect, test } from 'vitest'
import { openPlayground, openTab, servePlayground } from './playground-world.ts'
import { testAccessibleStates } from './test-accessible-states.ts'

// The deep suite looks at the dark colours.
testAccessibleStates('light', 'any rule', {})

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
