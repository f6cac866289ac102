import { getRequestListener } from '@hono/node-server'
import { apiKeys, toFetchHandler } from '@genmount/fetch-handler'
import type { HttpSubject } from '@genmount/testing/http'
import { listen } from '../loopback.ts'
import { type Greeting, launchServer, scriptCommand } from '../processes/start-server.ts'
import { type Host, hostInProcess } from './host.ts'

const script = new URL('servers/fetch-server.ts', import.meta.url)

/** The fetch handler in a process of another runtime. */
function runtimeHost(runtime: 'bun' | 'deno', name: string, mountPath = ''): Host {
  return {
    name,
    isVariant: mountPath !== '',
    async start() {
      const command = scriptCommand(runtime, script, mountPath)
      const { process, origin, greeting } = await launchServer<Greeting & Pick<HttpSubject, 'keys'>>(command)
      return {
        subject: { baseUrl: origin + mountPath, keys: greeting.keys },
        stop: async () => void (await process.kill()),
      }
    },
  }
}

export const fetchHosts: readonly Host[] = [
  hostInProcess('fetch on Node', ({ service, options, keys }) => {
    const fetch = toFetchHandler(service, { ...options, authenticate: apiKeys(keys) })
    return listen(getRequestListener(fetch, { overrideGlobalObjects: false }))
  }),
  runtimeHost('bun', 'fetch on Bun'),
  runtimeHost('deno', 'fetch on Deno'),
  runtimeHost('deno', 'fetch on Deno under a prefix', '/any/prefix'),
]
