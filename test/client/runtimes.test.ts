import { afterAll, beforeAll, expect, test } from 'vitest'
import type { RunningHost } from '../hosts/host.ts'
import { clientHosts } from './client-hosts.ts'
import type { ClientSubject } from './client-suite.ts'
import { clients } from './clients.ts'
import { startTraps } from './start-traps.ts'

let hosts: readonly RunningHost[] = []
let suites: readonly ClientSubject[] = []

beforeAll(async () => {
  hosts = await Promise.all(clientHosts.map((host) => host.start()))
  suites = hosts.map(({ subject }) => ({ baseUrl: subject.baseUrl, key: subject.keys.alice }))
})
afterAll(() => Promise.all(hosts.map((host) => host.stop())))

async function keepsItsPromises(runtime: keyof typeof clients): Promise<void> {
  const traps = await startTraps(suites[0]!)
  try {
    const { failures, redirected, survived } = await clients[runtime](suites, traps)
    expect(failures).toEqual([])
    traps.check(redirected, survived)
  } finally {
    await traps.stop()
  }
}

// Beside each other, because most cases wait.
test.concurrent.each(['node', 'bun', 'deno'] as const)(
  'on %s the client keeps its promises at every host, over broken connections, and sends the key to no other origin',
  keepsItsPromises,
)

test(
  'in Chromium the client keeps its promises at every host, over broken connections, and sends the key to no other origin',
  { tags: ['needs/chromium'] },
  () => keepsItsPromises('chromium'),
)
