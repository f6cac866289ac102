// @module-tag needs/swift
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startVerifyingServer, type VerifyingServer } from '../files-s3/servers/verifying-server.ts'
import { bundledWorker } from './bundled-worker.ts'

let server: VerifyingServer
let bundled: Awaited<ReturnType<typeof bundledWorker>>

beforeAll(async () => {
  server = await startVerifyingServer()
  bundled = await bundledWorker('bucket-worker', { bindings: { OPTIONS: await server.createBucket() } })
})
afterAll(async () => {
  await bundled?.stop()
  await server?.stop()
})

test.each([
  ['in one request', 1_000_000],
  ['in parts', 20_000_000],
])('a worker stores a file %s, and gives a link to it', async (_, size) => {
  const body = new Uint8Array(size).map((_byte, index) => index % 251)
  const reply = await bundled.worker.dispatchFetch('https://media.example.com/', { method: 'POST', body })
  const link = await reply.text()
  expect([reply.status, link]).toEqual([200, expect.stringContaining(server.endpoint)])
  const file = await fetch(link)
  expect(file.headers.get('content-type')).toBe('video/mp4')
  expect(Buffer.compare(await file.bytes(), body)).toBe(0)
})
