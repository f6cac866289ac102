// @module-tag needs/chromium
import { apiKeys, toNodeHandler } from '@genmount/node-http'
import { httpSuiteService } from '@genmount/testing/http'
import { expect, onTestFinished, test } from 'vitest'
import { openContext, servedPage } from '../browsers/open-page.ts'
import { served } from '../served.ts'
import { pageScript } from './page-script.ts'
import type * as suites from './run-suites.ts'

test('in a page of another origin that the service lets in, the client keeps its promises', async () => {
  const origin = await servedPage()
  const { service, options, keys } = httpSuiteService()
  onTestFinished(async () => void (await service.close()))
  const authenticate = apiKeys(keys)
  const baseUrl = await served(
    toNodeHandler(service, { ...options, authenticate, cors: { origins: [origin] } }),
  )
  const page = await (await openContext()).newPage()
  await page.goto(origin)
  await page.addScriptTag({ content: await pageScript('client-page.ts') })
  const failures = await page.evaluate(
    (subject) => (globalThis as unknown as typeof suites).runSuites([subject], 3),
    { baseUrl, key: keys.alice },
  )
  expect(failures).toEqual([])
})
