import { connect, type Socket } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { createGenerationService } from '@genmount/core'
import { toNodeHandler } from '@genmount/node-http'
import { fakeProvider, quietLog } from '@genmount/testing'
import { apiKeys } from '@genmount/v1-interface'
import { expect, test, vi } from 'vitest'
import { memoryInUse } from '../memory/memory-in-use.ts'
import { served } from '../served.ts'

const clients = 1000
const key = 'a-key-of-sixteen-bytes-or-more'
const patience = { timeout: 60_000, interval: 100 }

/** What clients who are gone must not leave behind. */
function holdings() {
  const { heapUsed, arrayBuffers } = memoryInUse()
  const resources = process.getActiveResourcesInfo()
  const of = (name: string) => resources.filter((resource) => resource === name).length
  return { timers: of('Timeout'), sockets: of('TCPSocketWrap'), bytes: heapUsed + arrayBuffers }
}

test('a thousand clients who never read the events of a job leave no timer, socket or memory behind when they disconnect', async () => {
  const service = createGenerationService({
    providers: [fakeProvider({ behave: () => ({ delayMs: 3_600_000 }) })],
    log: quietLog(),
    maxWaitersPerOwner: 2 * clients,
    maxWaiters: 2 * clients,
  })
  const origin = await served(toNodeHandler(service, { authenticate: apiKeys({ alice: key }) }))
  const request = { owner: 'alice', model: 'fake-image', input: { prompt: 'a fox' } }
  const { job } = await service.create(request)

  /** Opens the events, reads nothing, and goes. */
  async function comeAndGo(count: number): Promise<void> {
    const sockets: Socket[] = []
    for (let number = 0; number < count; number++) {
      const socket = connect(Number(new URL(origin).port), '127.0.0.1').on('error', () => {})
      socket.write(
        `GET /v1/jobs/${job.id}/events HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${key}\r\nlast-event-id: ${'x'.repeat(8000)}\r\n\r\n`,
      )
      socket.pause()
      sockets.push(socket)
    }
    await vi.waitFor(async () => expect((await service.health()).waiters).toBe(count), patience)
    for (const socket of sockets) socket.destroy()
    await vi.waitFor(async () => expect((await service.health()).waiters).toBe(0), patience)
  }

  // Caches fill up once.
  await comeAndGo(clients)
  await setTimeout(1000)
  const before = holdings()
  await comeAndGo(clients)
  await vi.waitFor(() => {
    const after = holdings()
    expect(after.timers).toBeLessThanOrEqual(before.timers + 5)
    expect(after.sockets).toBeLessThanOrEqual(before.sockets + 5)
    expect(after.bytes - before.bytes).toBeLessThan(4_000_000)
  }, patience)
  await service.close()
})
