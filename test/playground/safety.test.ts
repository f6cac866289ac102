// @module-tag needs/chromium
import { fakeModels, fakeProvider } from '@genmount/testing'
import { expect, test } from 'vitest'
import { key, openPlayground, openTab, servePlayground } from './playground-world.ts'

const attack = `<img src=x onerror="document.title='attacked'"><script>document.title='attacked'</script>`
const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40"><script>top.document.title='attacked'</script><rect width="40" height="40" onload="top.document.title='attacked'"/></svg>`

test('the playground runs no script in a prompt, an error message, the name of a model or an SVG', async () => {
  const [image] = fakeModels
  const provider = fakeProvider({
    models: [
      { ...image!, id: `evil"><img src=x onerror=document.title='attacked'>` },
      { ...image!, id: 'svg' },
    ],
    behave: ({ model }) =>
      model === 'svg'
        ? { outputs: [{ bytes: new TextEncoder().encode(svg), contentType: 'image/svg+xml' }] }
        : { failure: { code: 'provider_failed', message: attack } },
  })
  const { page, choose, write, generate, card, problems } = await openPlayground(
    await servePlayground({ providers: [provider] }),
  )
  await write(attack)
  await generate()
  await card.locator('.media-words').getByText(attack).waitFor()
  await choose('svg')
  await generate()
  await expect.poll(() => card.count()).toBe(1)
  await card.locator('img.media, .media-words').waitFor()
  for (const button of await card.getByRole('button', { name: 'Copy as code' }).all()) {
    await button.click()
    await page.keyboard.press('Escape')
  }
  expect(await page.title()).toBe('Playground')
  expect(await page.locator('svg script, iframe, object, embed').count()).toBe(0)
  expect(problems).toEqual([])
})

test('the content security policy of the playground lets no other script or style run', async () => {
  const { origin } = await servePlayground()
  const { page, problems } = await openTab(origin)
  const reply = await page.goto(origin)
  const headers = reply!.headers()
  expect(headers['content-security-policy']).not.toMatch(/unsafe|https?:|\*/)
  expect(headers).toMatchObject({
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'permissions-policy': expect.stringContaining('geolocation=()'),
  })
  await page.evaluate(() => {
    const put = (element: HTMLElement, text: string) => {
      element.append(text)
      document.body.append(element)
    }
    put(document.createElement('script'), "document.title = 'attacked'")
    put(document.createElement('style'), 'body { display: none }')
    put(document.createElement('b'), '<img src=x onerror="document.title = 1">')
  })
  expect(await page.title()).toBe('Playground')
  expect(await page.locator('body').isVisible()).toBe(true)
  const setHtml = page.evaluate(() => void (document.body.innerHTML = '<b>no</b>'))
  await expect(setHtml).rejects.toThrow('TrustedHTML')
  expect(problems.length).toBeGreaterThan(0)
})

test('the playground puts the API key into no copied code, no address and no storage that outlives the tab', async () => {
  const world = await servePlayground()
  const { page, origin, write, generate, card } = await openPlayground(world, {
    permissions: ['clipboard-read', 'clipboard-write'],
  })
  const addresses: string[] = []
  page.on('request', (request) => void addresses.push(request.url()))
  await write(`it's "a" kite`)
  await page.getByRole('button', { name: 'Copy the request as code' }).click()
  const before = await page.getByLabel('The request in curl').textContent()
  await page.keyboard.press('Escape')
  await generate()
  await card.getByRole('button', { name: 'Copy as code' }).click()
  expect(await page.getByLabel('The request in curl').textContent()).toBe(before)
  const codes: string[] = []
  for (const language of ['curl', 'TypeScript', 'CLI']) {
    await page.getByRole('radio', { name: language }).check()
    await page.getByRole('button', { name: /^Cop/ }).last().click()
    await page.getByRole('button', { name: 'Copied' }).waitFor()
    codes.push(await page.evaluate(() => navigator.clipboard.readText()))
  }
  const [curl, typescript, command] = codes
  expect(curl).toContain(`curl -X POST '${origin}/v1/generate?wait=true'`)
  expect(curl).toContain('"Authorization: Bearer $GENMOUNT_API_KEY"')
  expect(typescript).toContain('apiKey: process.env.GENMOUNT_API_KEY')
  expect(typescript).toContain(`prompt: 'it\\'s "a" kite'`)
  expect(command).toContain('npx @genmount/cli generate')
  for (const text of [...codes, ...addresses]) expect(text).not.toContain(key)
  expect(await page.evaluate(() => Object.keys(localStorage))).toEqual([])
})
