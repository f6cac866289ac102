import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from 'playwright-core'
import { onTestFinished } from 'vitest'
import { served } from '../served.ts'
import { programPath } from '../suite/system-needs.ts'

let browser: Promise<Browser> | undefined

/** Starts Debian's Chromium once for all test files of this worker. It ends with the worker. */
function runningBrowser(): Promise<Browser> {
  // The camera shows a test picture.
  const camera = ['--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream']
  const forget = () => (browser = undefined)
  browser ??= chromium.launch({ executablePath: programPath('chromium'), args: ['--no-sandbox', ...camera] })
  browser.then((running) => running.once('disconnected', forget), forget)
  return browser
}

/** @returns a browser context, which shares nothing with others and is closed when the test has ended */
export async function openContext(options: BrowserContextOptions = {}): Promise<BrowserContext> {
  const context = await (await runningBrowser()).newContext(options)
  onTestFinished(() => context.close())
  return context
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
