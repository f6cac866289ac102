// @module-tag needs/chromium
import { request } from 'node:http'
import { expect, test } from 'vitest'
import { served } from '../served.ts'
import { formOf, openTab, servePlayground, signIn } from './playground-world.ts'

/** A server that passes all requests on to another one, as the development servers of frameworks do. */
function servedProxy(target: string, changesHost: boolean): Promise<string> {
  return served((req, res) => {
    const { method, headers } = req
    const host = changesHost ? new URL(target).host : headers.host
    const onward = request(
      new URL(req.url ?? '', target),
      { method, headers: { ...headers, host } },
      (answer) => {
        res.writeHead(answer.statusCode ?? 500, answer.headers)
        answer.pipe(res)
      },
    )
    req.pipe(onward)
  })
}

test.each([
  [false, 'shows pictures behind a proxy that keeps the header Host'],
  [true, 'explains within seconds why it shows no picture behind a proxy that changes the header Host'],
])('with a proxy of which changeOrigin is %j, the playground %s', async (changesHost) => {
  const { origin } = await servePlayground()
  const address = await servedProxy(origin, changesHost)
  const { page } = await openTab(address)
  await page.goto(address)
  await signIn(page)
  const { write, generate, card } = formOf(page)
  await write('a kite')
  await generate()
  const began = performance.now()
  if (!changesHost) await card.getByRole('img', { name: 'a kite' }).waitFor()
  else {
    await card.getByRole('alert').getByText(`The service names ${origin}`).waitFor()
    expect(performance.now() - began).toBeLessThan(9000)
  }
})
