import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { expect, test } from 'vitest'
import { createGenerationService, type JobSignals, memoryBackend } from '@genmount/core'
import { apiKeys, toNodeHandler } from '@genmount/node-http'
import { fakeProvider, manualClock, quietLog } from '@genmount/testing'

/** The same signals, whose subscriptions can be counted. */
function counted(signals: JobSignals) {
  let subscriptions = 0
  return {
    count: () => subscriptions,
    signals: {
      ...signals,
      subscribe(jobId: string, wake: () => void) {
        subscriptions++
        const unsubscribe = signals.subscribe(jobId, wake)
        return () => {
          subscriptions--
          unsubscribe()
        }
      },
    },
  }
}

test('500 waiting clients that disconnect leave no waiter, timer or listener behind, and the job stays as it was', async () => {
  const clock = manualClock()
  const backend = memoryBackend({ clock })
  const { signals, count } = counted(backend.signals)
  const provider = fakeProvider({ clock })
  const service = createGenerationService({
    providers: [provider],
    clock,
    log: quietLog(),
    backend: { ...backend, signals },
  })
  const server = createServer(toNodeHandler(service, { authenticate: apiKeys({ alice: 'key-of-alice' }) }))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo

  const { job } = await service.create({
    owner: 'alice',
    model: 'fake-image',
    input: { prompt: 'a', delay_ms: 600_000 },
    idempotency: { key: 'k', scope: '/v1/generate' },
  })
  await clock.advance(0)
  const timersBefore = clock.pendingTimers
  const before = await service.get(job.id, 'alice')

  const body = JSON.stringify({ model: 'fake-image', prompt: 'a', delay_ms: 600_000 })
  const request =
    'POST /v1/generate?wait=true HTTP/1.1\r\nhost: a\r\nauthorization: Bearer key-of-alice\r\nidempotency-key: k\r\n' +
    `content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`
  const sockets: Socket[] = []
  for (let i = 0; i < 500; i++) {
    const socket = connect(port, '127.0.0.1').on('error', () => {})
    sockets.push(socket)
    socket.write(request)
    // All requests have one key. A second request during the first create would get a conflict, so each is sent when the one
    // before it waits.
    await expect.poll(count, { interval: 1 }).toBe(i + 1)
  }
  expect(clock.pendingTimers).toBe(timersBefore + 500)

  for (const socket of sockets) socket.destroy()
  await expect.poll(count).toBe(0)
  expect(clock.pendingTimers).toBe(timersBefore)
  expect(await service.get(job.id, 'alice')).toEqual(before)
  expect(provider.ledger).toHaveLength(1)
  await expect.poll(() => new Promise((resolve) => server.getConnections((_, open) => resolve(open)))).toBe(0)

  await service.close()
  server.close()
  await once(server, 'close')
})
