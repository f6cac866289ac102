// @module-tag needs/swift
import type { Miniflare } from 'miniflare'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type BucketServer, verifyingServer } from '../files-s3/servers/verifying-server.ts'
import { bundledWorker } from './bundled-worker.ts'

let server: BucketServer
let worker: Miniflare

beforeAll(async () => {
  server = await verifyingServer()
  worker = await bundledWorker('bucket-worker', { bindings: { OPTIONS: await server.createBucket() } })
})
afterAll(() => worker?.dispose())

test.each([
  ['with one request', 1_000_000],
  ['in several parts', 20_000_000],
])('a worker in workerd stores a file in a bucket %s and gives a link to it', async (_, size) => {
  const body = new Uint8Array(size).map((_byte, index) => index % 251)
  const reply = await worker.dispatchFetch('https://media.example.com/', { method: 'POST', body })
  const link = await reply.text()
  expect([reply.status, link]).toEqual([200, expect.stringContaining(server.endpoint)])
  const file = await fetch(link)
  expect(file.headers.get('content-type')).toBe('video/mp4')
  expect(Buffer.compare(await file.bytes(), body)).toBe(0)
})
