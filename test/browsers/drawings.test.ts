// @module-tag needs/chromium
import { createGenerationService } from '@genmount/core'
import { apiKeys, toNodeHandler } from '@genmount/node-http'
import { fakeProvider, quietLog } from '@genmount/testing'
import { expect, onTestFinished, test } from 'vitest'
import { served } from '../served.ts'
import { openContext, servedPage, shows } from './open-page.ts'

/** A drawing whose scripts, if they ran, would name themselves to the page and to the server. */
const drawing = `<?xml version="1.0"?>
<svg xmlns="http://www.w3.org/2000/svg" width="40" height="30" onload="fetch('/ran')">
  <script>fetch('/ran')</script><rect width="40" height="30" style="fill: red"/>
</svg>`

test('an SVG output with scripts is shown in an <img>, is downloaded when its link is opened, and runs no script', async () => {
  const provider = fakeProvider({
    behave: () => ({ outputs: [{ bytes: new TextEncoder().encode(drawing) }] }),
  })
  const service = createGenerationService({ providers: [provider], log: quietLog() })
  onTestFinished(async () => void (await service.close()))
  const handler = toNodeHandler(service, { authenticate: apiKeys({ alice: 'alice-key' }) })
  const paths: string[] = []
  const base = await served((request, response) => {
    paths.push(request.url ?? '')
    handler(request, response)
  })
  const headers = { authorization: 'Bearer alice-key', 'content-type': 'application/json' }
  const body = JSON.stringify({ model: provider.models[0]!.id, prompt: 'a fox' })
  const job = (await (
    await fetch(`${base}/v1/generate?wait=true`, { method: 'POST', headers, body })
  ).json()) as { data: readonly { url: string }[] }
  const reply = await fetch(job.data[0]!.url, { headers, redirect: 'manual' })
  const link = reply.headers.get('location')!

  const page = await (await openContext()).newPage()
  await page.goto(await servedPage())
  expect(await shows(page, 'img', link)).toBe(true)
  expect(await page.evaluate(() => document.querySelector('img')!.naturalWidth)).toBe(40)
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.goto(link).catch(() => undefined),
  ])
  expect(download.suggestedFilename()).toMatch(/\.svg$/)
  expect(paths.filter((path) => path.includes('ran'))).toEqual([])
})
