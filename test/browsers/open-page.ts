import { chromium, type Browser, type Page } from 'playwright-core'
import { onTestFinished } from 'vitest'
import { served } from '../served.ts'

/**
 * @param flags further switches of its command line. @default none
 * @returns Debian's Chromium, which is closed when the test has ended
 */
export async function openBrowser(flags: readonly string[] = []): Promise<Browser> {
  const args = ['--no-sandbox', ...flags]
  const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args })
  onTestFinished(() => browser.close())
  return browser
}

/** @returns an origin of its own, whose every path is an empty page with these headers */
export function servedPage(headers: Readonly<Record<string, string>> = {}): Promise<string> {
  return served((_request, response) => {
    response
      .writeHead(200, { 'content-type': 'text/html', ...headers })
      .end('<!doctype html><title>page</title>')
  })
}

/**
 * Shows an element on the page.
 * @returns whether the element has loaded what it shows
 */
export function shows(
  page: Page,
  tag: 'img' | 'video',
  src: string,
  crossOrigin: 'anonymous' | null = null,
): Promise<boolean> {
  return page.evaluate(
    async ([name, url, mode]) => {
      const element = document.createElement(name)
      element.crossOrigin = mode
      const loaded = new Promise<boolean>((resolve) => {
        element.addEventListener(name === 'img' ? 'load' : 'loadeddata', () => resolve(true))
        element.addEventListener('error', () => resolve(false))
      })
      element.src = url
      document.body.append(element)
      return loaded
    },
    [tag, src, crossOrigin] as const,
  )
}
