// @module-tag needs/chromium
import { apiKeys, corsPolicy, toNodeHandler } from '@genmount/node-http'
import { httpSuiteService } from '@genmount/testing/http'
import { expect, onTestFinished, test } from 'vitest'
import { openContext, servedPage } from '../browsers/open-page.ts'
import { served } from '../served.ts'
import { runInPage } from './clients.ts'

test('the client keeps its promises in a page of another origin that the service lets in by CORS', async () => {
  const origin = await servedPage()
  const { service, options, keys } = httpSuiteService()
  onTestFinished(async () => void (await service.close()))
  const authenticate = apiKeys(keys)
  const baseUrl = await served(
    toNodeHandler(service, { ...options, authenticate, cors: corsPolicy({ origins: [origin] }) }),
  )
  const page = await (await openContext()).newPage()
  await page.goto(origin)
  expect(await runInPage(page, { baseUrl, key: keys.alice })).toEqual([])
})
