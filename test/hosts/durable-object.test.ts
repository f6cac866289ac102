import { vi } from 'vitest'
import { everyCase, testHosts } from './test-hosts.ts'
import { durableObjectHost } from './workerd-host.ts'

vi.setConfig({ maxConcurrency: 12 })

testHosts([durableObjectHost], () => everyCase)
