import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { openContext } from '../browsers/open-page.ts'
import { servedSite } from './built-site.ts'

/** Whether a request leaves the site. */
export const isElsewhere = (url: string, origin: string) =>
  !url.startsWith(origin) && !url.startsWith('data:')

/** Opens pages of the site in a browser and expects that they fit, ask nobody else, and that the front page shows all. */
export async function expectFrontPage(colorScheme: 'light' | 'dark', width: 390 | 1280): Promise<void> {
  const origin = await servedSite()
  const context = await openContext({
    colorScheme,
    viewport: { width, height: width === 390 ? 844 : 800 },
  })
  const page: Page = await context.newPage()
  const faults: string[] = []
  page.on('console', (message) => message.type() === 'error' && faults.push(message.text()))
  page.on('pageerror', (error) => faults.push(error.message))
  page.on('request', (request) => isElsewhere(request.url(), origin) && faults.push(request.url()))
  for (const path of ['mount-it.html', 'openapi.html', 'packages/core.html', 'what-it-costs.html', '']) {
    await page.goto(`${origin}/${path}`, { waitUntil: 'networkidle' })
    const tooWide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
    expect(tooWide, path).toBeLessThanOrEqual(0)
  }
  const height = page.viewportSize()?.height ?? 0
  for (const shown of ['h1', 'text=npm ci && npm run demo', 'text=npm start', 'text=Not for', '.front img']) {
    const box = await page.locator(shown).first().boundingBox()
    expect(box && box.y + box.height, shown).toBeLessThanOrEqual(height)
  }
  const picture = page.locator('.front img')
  const pictureWidth = await picture.evaluate((element) => (element as HTMLImageElement).naturalWidth)
  expect(pictureWidth).toBeGreaterThan(1000)
  expect(faults).toEqual([])
}
