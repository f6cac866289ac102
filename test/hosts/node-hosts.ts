import { apiKeys, toNodeHandler } from '@genmount/node-http'
import { httpSuiteService } from '@genmount/testing/http'
import { listen } from '../loopback.ts'
import type { Host } from './host.ts'

function nodeHost(name: string, mount: { mountPath?: string; baseUrl?: string } = {}): Host {
  return {
    name,
    async start() {
      const { service, options, keys } = httpSuiteService()
      const handler = toNodeHandler(service, { ...options, ...mount, authenticate: apiKeys(keys) })
      const { origin, stop } = await listen(handler)
      return {
        subject: {
          baseUrl: origin + (mount.mountPath ?? ''),
          keys,
          ...(mount.baseUrl !== undefined && { publicUrl: mount.baseUrl }),
        },
        async stop() {
          await service.close()
          await stop()
        },
      }
    },
  }
}

export const nodeHosts: readonly Host[] = [
  nodeHost('node:http'),
  nodeHost('node:http under a prefix', { mountPath: '/any/prefix' }),
  nodeHost('node:http with a base URL', { baseUrl: 'https://media.example.com/api' }),
]
