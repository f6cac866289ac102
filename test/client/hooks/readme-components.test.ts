// @module-tag needs/chromium
import { join } from 'node:path'
import { createGenerationService } from '@genmount/core'
import { apiKeys, toNodeHandler } from '@genmount/node-http'
import { fakeProvider, quietLog } from '@genmount/testing'
import { expect, onTestFinished, test } from 'vitest'
import { openContext } from '../../browsers/open-page.ts'
import { readerFolder } from '../../readme/reader-folder.ts'
import { served } from '../../served.ts'
import { bundledPage } from './bundled-page.ts'
import { readmeComponents } from './readme-components.ts'

const frameworks = Object.entries(readmeComponents)
const folder = readerFolder(
  Object.fromEntries(
    frameworks.flatMap(([name, { file, blocks, page }]) => [
      [`${name}/${file}`, blocks.map(({ code }) => code.replace('http://127.0.0.1:3000', '')).join('')],
      [`${name}/page.ts`, page],
    ]),
  ),
)

async function serviceOfReadme() {
  const provider = { ...fakeProvider(), models: [{ ...fakeProvider().models![0]!, id: 'procedural-image' }] }
  const service = createGenerationService({ providers: [provider], log: quietLog() })
  onTestFinished(async () => void (await service.close()))
  const handler = toNodeHandler(service, { authenticate: apiKeys({ alice: 'dev-key' }) })
  return served((request, response) => {
    if (request.url?.startsWith('/v1/')) return void handler(request, response)
    response.setHeader('content-type', 'text/html').end('<body></body>')
  })
}

test.each(frameworks)(
  "the README's component for %s draws a picture at a click",
  async (name, { blocks }) => {
    expect(blocks).toHaveLength(1)
    const opened = await (await openContext()).newPage()
    await opened.goto(await serviceOfReadme())
    await opened.addScriptTag({ content: await bundledPage(join(folder, name, 'page.ts'), 'browser') })
    const button = opened.locator('button')
    expect(await button.textContent()).toBe('Draw a kite')
    await button.click()
    await opened.locator('button', { hasText: 'gen_' }).waitFor()
  },
)
