import { apiKeys, toNodeHandler } from '@genmount/node-http'
import { listen } from '../loopback.ts'
import { type Host, hostInProcess, type HostTraits } from './host.ts'

function nodeHost(name: string, traits: HostTraits = {}): Host {
  const mount = { mountPath: traits.mountPath, baseUrl: traits.publicUrl }
  return hostInProcess(
    name,
    ({ service, options, keys }) =>
      listen(toNodeHandler(service, { ...options, ...mount, authenticate: apiKeys(keys) })),
    traits,
  )
}

export const nodeHosts: readonly Host[] = [
  nodeHost('node:http'),
  nodeHost('node:http under a prefix', { mountPath: '/any/prefix', isVariant: true }),
  nodeHost('node:http with a base URL', { publicUrl: 'https://media.example.com/api', isVariant: true }),
]
