import { once } from 'node:events'
import { serve } from '@hono/node-server'
import { apiKeys, toFetchHandler } from '@genmount/fetch-handler'
import { httpSuiteService } from '@genmount/testing/http'
import { originOf, stopped } from '../loopback.ts'
import type { Host } from './host.ts'
import { runtimeHost } from './runtime-host.ts'

const fetchOnNode: Host = {
  name: 'fetch on Node',
  async start() {
    const { service, options, keys } = httpSuiteService()
    const fetch = toFetchHandler(service, { ...options, authenticate: apiKeys(keys) })
    const server = serve({ fetch, hostname: '127.0.0.1', port: 0, overrideGlobalObjects: false })
    if (!server.listening) await once(server, 'listening')
    return {
      subject: { baseUrl: originOf(server), keys },
      async stop() {
        await service.close()
        if ('closeAllConnections' in server) await stopped(server)
      },
    }
  },
}

export const fetchHosts: readonly Host[] = [
  fetchOnNode,
  runtimeHost('fetch on Bun', 'bun', 'bun-server.ts'),
  runtimeHost('fetch on Deno', 'deno', 'deno-server.ts'),
  runtimeHost('fetch on Deno under a prefix', 'deno', 'deno-server.ts', '/any/prefix'),
]
