import { createGenerationService, type GenerationServiceOptions } from '@genmount/core'
import { uploads } from '@genmount/core/uploads'
import { apiKeys, toNodeHandler } from '@genmount/node-http'
import { toPlaygroundNodeHandler, type MountedPlaygroundOptions } from '@genmount/playground'
import { fakeProvider, quietLog } from '@genmount/testing'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { onTestFinished } from 'vitest'
import { openTab } from '../browsers/open-tab.ts'
import { served } from '../served.ts'

export { openTab }

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
