import { once } from 'node:events'
import { connect } from 'node:net'
import { createGenerationService, memoryFileStore } from '@genmount/core'
import { apiKeys, toNodeHandler } from '@genmount/node-http'
import { fakeProvider, manualClock, quietLog } from '@genmount/testing'
import { expect, onTestFinished, test } from 'vitest'
import { served } from '../served.ts'

test('a client that stops reading an output is disconnected, the file is closed, and the log has no error', async () => {
  const clock = manualClock()
  const log = quietLog()
  let isReleased = false
  const endless = () =>
    new ReadableStream<Uint8Array<ArrayBuffer>>({
      pull: (controller) => controller.enqueue(new Uint8Array(65_536)),
      cancel: () => void (isReleased = true),
    })
  const service = createGenerationService({
    providers: [fakeProvider({ clock })],
    clock,
    files: {
      ...memoryFileStore(),
      open: async () => ({ size: 1e9, contentType: 'video/mp4', read: endless }),
    },
    log,
  })
  onTestFinished(async () => void (await service.close()))
  const origin = await served(toNodeHandler(service, { authenticate: apiKeys({ alice: 'alice-key' }) }))
  const { job } = await service.create({ owner: 'alice', model: 'fake-image', input: { prompt: 'a kite' } })
  await expect
    .poll(async () => (await clock.advance(1000), (await service.get(job.id, 'alice')).phase))
    .toBe('completed')
  const headers = { authorization: 'Bearer alice-key' }
  const redirect = await fetch(`${origin}/v1/files/${job.id}`, { headers, redirect: 'manual' })
  const { pathname, port } = new URL(redirect.headers.get('location') ?? '')

  const socket = connect(Number(port), '127.0.0.1').on('error', () => {})
  onTestFinished(() => void socket.destroy())
  socket.write(`GET ${pathname} HTTP/1.1\r\nhost: a\r\n\r\n`)
  const [head] = (await once(socket, 'data')) as [Buffer]
  socket.pause()
  expect(head.toString('latin1')).toMatch(/^HTTP\/1\.1 200 /)
  await expect.poll(async () => (await clock.advance(60_000), isReleased)).toBe(true)
  socket.resume()
  await once(socket, 'close')
  expect(log.errors).toEqual([])
})
