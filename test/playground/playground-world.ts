import { createGenerationService, type GenerationServiceOptions } from '@genmount/core'
import { uploads } from '@genmount/core/uploads'
import { apiKeys, toNodeHandler } from '@genmount/node-http'
import { toPlaygroundNodeHandler, type MountedPlaygroundOptions } from '@genmount/playground'
import { fakeProvider, quietLog } from '@genmount/testing'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { onTestFinished } from 'vitest'
import { openContext } from '../browsers/open-page.ts'
import { served } from '../served.ts'

export const key = 'alice-key-0123456789'

/** A service with the page at its root, as `npm start` serves it. */
export async function servePlayground({
  playground = {},
  ...options
}: Partial<GenerationServiceOptions> & { readonly playground?: MountedPlaygroundOptions } = {}) {
  const defaults = { providers: [fakeProvider()], plugins: [uploads()], log: quietLog() }
  const service = createGenerationService({ ...defaults, ...options })
  onTestFinished(async () => void (await service.close()))
  const handler = toNodeHandler(service, { authenticate: apiKeys({ alice: key }) })
  const page = toPlaygroundNodeHandler(playground)
  const origin = await served((req, res) => page(req, res, () => handler(req, res)))
  return { origin, service }
}

/** Stops what moves while a page waits: where no graphics card draws it, it takes a whole CPU core. */
function stopAnimations(): void {
  const still = new CSSStyleSheet()
  still.replaceSync('*, ::before, ::after { animation: none !important }')
  document.adoptedStyleSheets = [still]
}

/** Opens a tab, and records its problems: errors in the console and in scripts, and requests to other origins. */
export async function openTab(origin: string, options: BrowserContextOptions = {}) {
  const context = await openContext({ viewport: { width: 1280, height: 900 }, ...options })
  await context.addInitScript(stopAnimations)
  const page = await context.newPage()
  const problems: string[] = []
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) problems.push(message.text())
  })
  page.on('pageerror', ({ message }) => problems.push(message))
  page.on('request', (request) => {
    const url = new URL(request.url())
    if (url.protocol.startsWith('http') && url.origin !== origin) problems.push(`request to ${url.origin}`)
  })
  return { page, problems }
}

/** Opens the page and types the key. */
export async function openPlayground(
  { origin, service }: Awaited<ReturnType<typeof servePlayground>>,
  options?: BrowserContextOptions,
) {
  const tab = await openTab(origin, options)
  await tab.page.goto(origin)
  await signIn(tab.page)
  return { ...tab, origin, service, ...formOf(tab.page) }
}

export async function signIn(page: Page, typed = key): Promise<void> {
  await page.getByLabel('API key').fill(typed)
  await page.getByRole('button', { name: 'Start' }).click()
}

/** What people do with the form. */
export function formOf(page: Page) {
  const results = page.getByRole('region', { name: 'Results' })
  return {
    results,
    gallery: page.getByRole('region', { name: 'Recent jobs' }),
    card: results.getByRole('article'),
    write: (prompt: string) => page.getByLabel('Prompt', { exact: true }).fill(prompt),
    generate: () => page.getByRole('button', { name: /^Generate/ }).click(),
    async choose(model: string) {
      await page.locator('.model-button').click()
      await page.getByLabel('Search models').fill(model)
      await page.keyboard.press('Enter')
    },
    /** Opens "More settings" and fills its fields. */
    async set(values: Readonly<Record<string, string>>) {
      const more = page.locator('details.more').first()
      if ((await more.getAttribute('open')) === null) await page.getByText('More settings').click()
      for (const [label, value] of Object.entries(values)) {
        const field = page.getByLabel(label, { exact: true })
        const isList = (await field.evaluate(({ tagName }) => tagName)) === 'SELECT'
        await (isList ? field.selectOption(value) : field.fill(value))
      }
    },
  }
}
