// @module-tag needs/chromium
import { expect, test } from 'vitest'
import { openContext } from '../browsers/open-page.ts'
import { servedSite, useSite } from './built-site.ts'
import { expectFrontPage, isElsewhere } from './front-page.ts'

useSite()

test.each([
  [1280, 'dark'],
  [390, 'light'],
] as const)(
  'the front page on a screen of %i px (%s) shows what genmount is, two commands and the picture, and asks no other origin',
  async (width, colorScheme) => {
    await expectFrontPage(colorScheme, width)
  },
)

test('the search of the site finds a word of a README without asking another origin', async () => {
  const origin = await servedSite()
  const page = await (await openContext()).newPage()
  const urls: string[] = []
  page.on('request', (request) => urls.push(request.url()))
  await page.goto(`${origin}/`, { waitUntil: 'networkidle' })
  await page.keyboard.press('Control+k')
  await page.locator('#localsearch-input').fill('callbackBaseUrl')
  await page.locator('.VPLocalSearchBox .result').first().waitFor({ timeout: 30_000 })
  expect(urls.some((url) => url.includes('localSearchIndex'))).toBe(true)
  expect(urls.filter((url) => isElsewhere(url, origin))).toEqual([])
})
