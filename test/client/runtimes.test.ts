import type { IncomingHttpHeaders } from 'node:http'
import { startFaultProxy, type FaultProxy } from '@genmount/testing'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openBrowser } from '../browsers/open-page.ts'
import type { RunningHost } from '../hosts/host.ts'
import { listen, type LoopbackServer } from '../loopback.ts'
import { printedBy } from '../runtimes.ts'
import { clientHosts } from './client-hosts.ts'
import type { ClientSubject } from './client-suite.ts'
import { pageScript } from './page-script.ts'
import type * as page from './run-suites.ts'

const timeout = 200_000
const file = 'the bytes of a file'
const key = 'the-key-of-alice'
let hosts: readonly RunningHost[] = []
let suites: readonly ClientSubject[] = []
/** The origin to which the server at `redirects` sends its clients, and the headers that it has got. */
let elsewhere: LoopbackServer
let server: LoopbackServer
const seenElsewhere: IncomingHttpHeaders[] = []
let redirects: ClientSubject
/** In front of the first host. It loses the first three answers to each create, each in another way. */
let proxy: FaultProxy
let lossy: ClientSubject
const losses = ['cut-before', 'cut-after', 'half-body'] as const

beforeAll(async () => {
  hosts = await Promise.all(clientHosts.map((host) => host.start()))
  suites = hosts.map(({ subject }) => ({ baseUrl: subject.baseUrl, key: subject.keys.alice }))
  elsewhere = await listen((request, response) => {
    seenElsewhere.push(request.headers)
    response.writeHead(200, { 'access-control-allow-origin': '*', 'content-type': 'image/png' }).end(file)
  })
  server = await listen((request, response) => {
    if (!request.url?.startsWith('/v1/'))
      return response.writeHead(200, { 'content-type': 'text/html' }).end()
    const status = request.url.startsWith('/v1/files/') ? 302 : 307
    return response.writeHead(status, { location: `${elsewhere.origin}${request.url}` }).end()
  })
  redirects = { baseUrl: server.origin, key }
  proxy = await startFaultProxy(suites[0]!.baseUrl, ({ method }) =>
    method === 'POST' ? losses[creates()] : undefined,
  )
  lossy = { baseUrl: proxy.baseUrl, key: suites[0]!.key }
}, 120_000)
afterAll(async () => {
  await proxy?.close()
  await Promise.all([...hosts, elsewhere, server].map((started) => started?.stop()))
})
beforeEach(() => void (seenElsewhere.length = 0))

/** How many creates there were before the latest one with its key. */
function creates(): number {
  const keys = proxy.requests.flatMap(({ headers }) => headers['idempotency-key'] ?? [])
  return keys.filter((given) => given === keys.at(-1)).length - 1
}

function checkRedirected(redirected: unknown): void {
  expect(redirected).toEqual({ bytes: file.length, code: 'unexpected_answer' })
  expect(seenElsewhere).toHaveLength(1)
  expect(JSON.stringify(seenElsewhere)).not.toContain(key)
  expect(seenElsewhere[0]).not.toHaveProperty('authorization')
}

test.each(['node', 'bun', 'deno'] as const)(
  'on %s the client keeps its promises at every host, over broken connections, and sends the key to no other origin',
  { timeout },
  async (runtime) => {
    const script = new URL('programs/client-program.ts', import.meta.url)
    const args = [JSON.stringify({ suites, redirects, lossy })]
    const printed = (await printedBy(runtime, script, { args, timeoutMs: timeout })) as {
      failures: unknown
      redirected: unknown
      survived: unknown
    }
    expect(printed.failures).toEqual([])
    checkRedirected(printed.redirected)
    expect(printed.survived).toEqual(['completed'])
    expect(creates()).toBe(losses.length)
  },
)

test(
  'in Chromium the client keeps its promises at every host, over broken connections, and sends the key to no other origin',
  { timeout },
  async () => {
    const content = await pageScript('client-page.ts')
    const browser = await openBrowser()
    const context = await browser.newContext()

    async function inPage<Input, Result>(url: string, input: Input, run: (input: Input) => Promise<Result>) {
      const page = await context.newPage()
      await page.goto(url)
      await page.addScriptTag({ content })
      return page.evaluate(run as never, input) as Promise<Result>
    }

    // A browser has six connections to one origin, of which requests that wait take some.
    const failures = await Promise.all(
      suites.map((subject) =>
        inPage(`${subject.baseUrl}/v1/jobs/none`, subject, (given) =>
          (globalThis as unknown as typeof page).runSuites([given], 3),
        ),
      ),
    )
    expect(failures.flat()).toEqual([])
    const redirected = await inPage(server.origin, redirects, (given) =>
      (globalThis as unknown as typeof page).followRedirects(given),
    )
    checkRedirected(redirected)
    const survived = await inPage(`${lossy.baseUrl}/v1/jobs/none`, lossy, (given) =>
      (globalThis as unknown as typeof page).surviveLosses(given),
    )
    expect(survived).toEqual(['completed'])
    expect(creates()).toBe(losses.length)
  },
)
