import type { BrowserContextOptions } from 'playwright-core'
import { openContext } from './open-page.ts'

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
