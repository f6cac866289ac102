import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, test } from 'vitest'
import { guardedFetchCases } from './guarded-fetch-cases.ts'
import { loopbackOrigin } from './loopback-origin.ts'
import { runtimes } from '../runtimes.ts'

describe('guardedFetch', () => {
  test.each(Object.entries(guardedFetchCases))('%s', (_name, runCase) => runCase())
})

const runner = fileURLToPath(new URL('run-cases.ts', import.meta.url))

describe.each(Object.entries(runtimes))(
  'guardedFetch on %s, told to use a proxy',
  (_name, [binary, ...args]) => {
    let verdicts: Record<string, string>
    let proxied: readonly string[]

    beforeAll(async () => {
      await using proxy = await loopbackOrigin((socket) => socket.end('HTTP/1.1 200 OK\r\n\r\n'))
      const env = {
        ...process.env,
        NODE_USE_ENV_PROXY: '1',
        NO_PROXY: '',
        no_proxy: '',
        DENO_NO_UPDATE_CHECK: '1',
      }
      for (const name of [
        'HTTP_PROXY',
        'HTTPS_PROXY',
        'ALL_PROXY',
        'http_proxy',
        'https_proxy',
        'all_proxy',
      ]) {
        Object.assign(env, { [name]: `http://127.0.0.1:${proxy.port}` })
      }
      const { stdout } = await promisify(execFile)(binary, [...args, runner], { env, timeout: 50_000 })
      verdicts = JSON.parse(stdout)
      proxied = proxy.connections
    })

    test.each(Object.keys(guardedFetchCases))('%s', (name) => {
      expect(verdicts[name]).toBe('holds')
    })

    test('asks the proxy for nothing, which would look names up unguarded', () => {
      expect(proxied).toEqual([])
    })
  },
)
