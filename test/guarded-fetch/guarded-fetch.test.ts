import { beforeAll, describe, expect, test } from 'vitest'
import { printedBy } from '../processes/run-program.ts'
import { type Runtime, runtimes } from '../processes/runtimes.ts'
import { guardedFetchCases } from './guarded-fetch-cases.ts'
import { loopbackOrigin } from './loopback-origin.ts'

describe('guardedFetch', () => {
  test.concurrent.each(Object.entries(guardedFetchCases))('%s', (_name, runCase) => runCase())
})

const proxyVariables = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'http_proxy', 'https_proxy', 'all_proxy']

describe.concurrent.each(Object.keys(runtimes) as Runtime[])(
  'guardedFetch on %s with a proxy in its environment',
  (runtime) => {
    let verdicts: unknown
    let proxied: readonly string[]

    beforeAll(async () => {
      await using proxy = await loopbackOrigin((socket) => socket.end('HTTP/1.1 200 OK\r\n\r\n'))
      const variables = proxyVariables.map((name) => [name, `http://127.0.0.1:${proxy.port}`])
      verdicts = await printedBy(runtime, new URL('run-cases.ts', import.meta.url), {
        env: { NODE_USE_ENV_PROXY: '1', NO_PROXY: '', no_proxy: '', ...Object.fromEntries(variables) },
      })
      proxied = proxy.connections
    })

    test.each(Object.keys(guardedFetchCases))('%s', (name) => {
      expect(verdicts).toHaveProperty([name], 'holds')
    })

    test('sends no request to the proxy, which would look names up unguarded', () => {
      expect(proxied).toEqual([])
    })
  },
)
