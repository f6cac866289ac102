import { vi } from 'vitest'
import { expressHosts } from './express-hosts.ts'
import { fetchHosts } from './fetch-hosts.ts'
import { nodeHosts } from './node-hosts.ts'
import { everyCase, testHosts } from './test-hosts.ts'

vi.setConfig({ maxConcurrency: 12 })

// The other hosts go through every case in `npm test`.
testHosts(
  [...nodeHosts, ...expressHosts, ...fetchHosts].filter(({ isVariant }) => isVariant),
  () => everyCase,
)
