// @module-tag needs/chromium
import { existsSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { expect, test } from 'vitest'
import { pages } from '../../packages/docs/src/site-map.ts'
import { servedDocument } from '../../packages/docs/src/openapi/served-document.ts'
import { openContext } from '../browsers/open-page.ts'
import { publishedPackages } from '../published-packages.ts'
import { filesOf, servedSite, siteFolder, useSite } from './built-site.ts'
import { loadsFromElsewhere, styledFromElsewhere } from './loaded-from-elsewhere.ts'
import { expectWholeInterface } from './expect-whole-interface.ts'
import { expectFrontPage, isElsewhere } from './front-page.ts'

let html: ReadonlyMap<string, string>

// VitePress fails at a link to a page that is not there, and so does our own look at anchors.
useSite(() => {
  html = new Map(filesOf('html'))
})

const withoutTags = (text: string) => text.replaceAll(/<[^>]+>/g, ' ')
/** The part of a page that is its own, without the navigation around it. */
const ownPart = (page: string) => /<main[^>]*>(.*)<\/main>/s.exec(page)?.[1] ?? page

test('the site has a page for each published package, each guide and each example, and each has a title and text', () => {
  for (const name of publishedPackages) expect([...html.keys()]).toContain(`packages/${name}.html`)
  const expected = [...pages().values()].map((page) => page.replace(/md$/, 'html'))
  expect(expected.filter((page) => !html.has(page))).toEqual([])
  for (const page of expected) {
    const own = ownPart(html.get(page) ?? '')
    const [, title = ''] = /<h1[^>]*>(.*?)<\/h1>/s.exec(own) ?? []
    expect(withoutTags(title), page).toMatch(/\w/)
    expect(withoutTags(own).replaceAll(/\s+/g, ' ').length, page).toBeGreaterThan(400)
    expect(own.includes('<!-- include'), page).toBe(false)
  }
})

test('each link within the site leads to a page and heading that exist', () => {
  const dead = [...html].flatMap(([page, text]) =>
    [...text.matchAll(/<a [^>]*href="(?!\w+:)([^"#]*)(?:#([^"]*))?"/g)]
      .filter(([, path = '', anchor]) => {
        const absolute = path.startsWith('/') ? path : join('/', dirname(page), path)
        const target = path === '' ? page : normalize(absolute).slice(1) || 'index.html'
        const there = html.get(target.endsWith('/') ? `${target}index.html` : target)
        if (there === undefined) return !existsSync(join(siteFolder, target))
        return anchor !== undefined && !there.includes(`id="${decodeURIComponent(anchor)}"`)
      })
      .map(([link]) => `${page}: ${link}`),
  )
  expect(dead).toEqual([])
})

test('no page, style or script of the site asks another origin for anything', () => {
  expect([...html].flatMap(loadsFromElsewhere)).toEqual([])
  expect([...filesOf('css'), ...html].flatMap(styledFromElsewhere)).toEqual([])
  const inScripts = filesOf('js').flatMap(([file, text]) =>
    [
      ...text.matchAll(
        /(?:\bimport|\bfetch|new (?:EventSource|WebSocket|Worker))\(\s*["'`](?:\w+:)?\/\/[^"'`]+/g,
      ),
    ]
      // The pages of the documentation show code, which their scripts have as text.
      .filter(() => !/assets\/[\w-]+\.md\./.test(file))
      .map(([call]) => `${file}: ${call}`),
  )
  expect(inScripts).toEqual([])
})

test('the page of the interface shows all routes, objects and error codes of the OpenAPI document', async () => {
  const page = ownPart(html.get('openapi.html') ?? '')
  expectWholeInterface(await servedDocument(), {
    text: withoutTags(page),
    hasHeading: (name) => page.includes(`id="${name.toLowerCase()}"`),
    hasCode: (word) => page.includes(`<code>${word}</code>`),
  })
})

test.each([
  [1280, 'light'],
  [390, 'dark'],
  [1280, 'dark'],
  [390, 'light'],
] as const)(
  'the front page on a screen of %i px (%s) shows what genmount is, two commands and the picture, and asks no other origin',
  { tags: ['needs/chromium'] },
  async (width, colorScheme) => {
    await expectFrontPage(colorScheme, width)
  },
)

test.each([960, 1280, 1440, 1500, 1600])(
  'the sidebar of a page is whole on a screen of %i px, and the page begins beside it',
  { tags: ['needs/chromium'] },
  async (width) => {
    const origin = await servedSite()
    const page = await (await openContext({ viewport: { width, height: 900 } })).newPage()
    await page.goto(`${origin}/packages/core.html`, { waitUntil: 'networkidle' })
    const [sidebar, text] = await Promise.all(
      ['.VPSidebar', '.VPDoc main'].map((part) => page.locator(part).boundingBox()),
    )
    const rightmost = await page
      .locator('.VPSidebar .items a')
      .evaluateAll((links) => Math.max(...links.map((link) => link.getBoundingClientRect().right)))
    expect(sidebar && rightmost).toBeLessThanOrEqual((sidebar?.x ?? 0) + (sidebar?.width ?? 0))
    expect(text?.x).toBeGreaterThan((sidebar?.x ?? 0) + (sidebar?.width ?? 0))
  },
)

test(
  'the search of the site finds a section once that two pages show',
  { tags: ['needs/chromium'] },
  async () => {
    const origin = await servedSite()
    const page = await (await openContext()).newPage()
    await page.goto(`${origin}/`, { waitUntil: 'networkidle' })
    await page.keyboard.press('Control+k')
    await page.locator('#localsearch-input').fill('removeAllListeners')
    const results = page.locator('.VPLocalSearchBox .result')
    await results.first().waitFor({ timeout: 30_000 })
    const links = await results.evaluateAll((found) => found.map((each) => each.getAttribute('href')))
    expect(links).toContain('/packages/fetch-handler.html#next')
    expect(links).not.toContain('/mount-it.html#next')
  },
)

test(
  'the search of the site finds a word of a README without asking another origin',
  { tags: ['needs/chromium'] },
  async () => {
    const origin = await servedSite()
    const page = await (await openContext()).newPage()
    const urls: string[] = []
    page.on('request', (request) => urls.push(request.url()))
    await page.goto(`${origin}/`, { waitUntil: 'networkidle' })
    await page.keyboard.press('Control+k')
    await page.locator('#localsearch-input').fill('callbacksAreHints')
    await page.locator('.VPLocalSearchBox .result').first().waitFor({ timeout: 30_000 })
    expect(urls.some((url) => url.includes('localSearchIndex'))).toBe(true)
    expect(urls.filter((url) => isElsewhere(url, origin))).toEqual([])
  },
)
