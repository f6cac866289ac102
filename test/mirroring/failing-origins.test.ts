import { readdir } from 'node:fs/promises'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import type { FileFetch } from '@genmount/core'
import { diskFiles } from '@genmount/files-disk'
import { loopbackOrigin } from '../guarded-fetch/loopback-origin.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import {
  answering,
  mirrorWorld,
  picture,
  providerOrigin,
  sendPicture,
  worldFetch,
  type OriginAnswer,
} from './mirror-world.ts'

const png = { 'content-type': 'image/png' }
const octets = { 'content-type': 'application/octet-stream' }
const packed = { ...png, 'content-encoding': 'gzip' }
const head = (length: number) =>
  `HTTP/1.1 200 OK\r\ncontent-type: image/png\r\ncontent-length: ${length}\r\n\r\n`

/** The first bytes, and then nothing more, or one byte now and then. */
const slowLoris: OriginAnswer = (socket) => {
  socket.write(head(1000))
  const drip = setInterval(() => socket.write('x'), 50)
  socket.on('close', () => clearInterval(drip))
}

const cutOff: OriginAnswer = (socket) => {
  socket.write(head(picture.length))
  socket.write(picture.subarray(0, 20), () => socket.destroy())
}

test.each<[string, OriginAnswer]>([
  ['answers with 500', answering(500, png)],
  ['closes the connection', (socket) => socket.destroy()],
  ['breaks off in the middle of the file', cutOff],
  [
    'ends in the middle of the file',
    (socket) => socket.end(Buffer.concat([Buffer.from(head(1000)), picture])),
  ],
  ['sends the file too slowly', slowLoris],
  ['answers with 404', answering(404, {})],
  ['sends an empty file', answering(200, png)],
  ['sends a page as a picture', answering(200, png, '<!doctype html><title>Busy</title>')],
  ['sends an error as bytes', answering(200, octets, '{"error":"Busy"}')],
  ['sends a page as compressed bytes', answering(200, octets, gzipSync('<!doctype html>'))],
  [
    'sends a compressed page as a picture',
    answering(200, packed, gzipSync('<!doctype html><title>Busy</title>')),
  ],
  ['sends a compressed error as a picture', answering(200, packed, gzipSync('{"error":"Busy"}'))],
  [
    'breaks off in the middle of a compressed file',
    answering(200, packed, gzipSync(picture).subarray(0, -20)),
  ],
])(
  'an output is copied after retries at growing intervals when the server of its link at first %s',
  async (_, badAnswer) => {
    const askedAt: number[] = []
    const origin = await providerOrigin((socket, request) => {
      askedAt.push(world.clock.now())
      return askedAt.length <= 4 ? badAnswer(socket, request) : sendPicture(socket, request)
    })
    // On a busy machine, a connection alone may take longer.
    const timeoutMs = badAnswer === slowLoris ? 400 : 30_000
    const fetch: FileFetch = (url, limits) => worldFetch(url, { ...limits, timeoutMs })
    const world = await mirrorWorld({ fetch })
    const id = await world.completedWith(origin.url('1.png?signature=hunter2'))
    const completed = await world.jobText(id)

    await world.driveUntil(id, ({ attempts }) => attempts === 4)
    expect(await world.locationOf(id)).toBe(origin.url('1.png?signature=hunter2'))
    expect(await world.jobText(id)).toBe(completed)
    await world.driveToRest(id)

    const pauses = askedAt.slice(1).map((at, index) => at - (askedAt[index] ?? 0))
    for (const [index, expected] of [1000, 2000, 4000, 8000].entries()) {
      expect(pauses[index]).toBeGreaterThanOrEqual(expected * 0.75)
      expect(pauses[index]).toBeLessThanOrEqual(expected * 1.25)
    }
    expect(pauses).toHaveLength(4)
    const reply = await world.ask(await world.locationOf(id), { headers: {} })
    expect(await reply.bytes()).toEqual(picture)
    expect(await readdir(world.folder)).toHaveLength(1)
    expect(await world.jobText(id)).toBe(completed)
    expect(world.provider.ledger).toHaveLength(1)
    expect(world.provider.submits).toHaveLength(1)
    const warnings = world.log.warnings.filter((line) => line.includes(id))
    expect(warnings).toHaveLength(1)
    expect(warnings[0]).not.toContain('hunter2')
    expect(world.log.errors).toEqual([])
  },
)

const large = new Uint8Array(2000).fill(1)

test.each<[string, OriginAnswer]>([
  ['is announced as too large', answering(200, png, large)],
  [
    'turns out to be too large',
    (socket) =>
      socket.end(Buffer.concat([Buffer.from('HTTP/1.1 200 OK\r\ncontent-type: image/png\r\n\r\n'), large])),
  ],
  ['is compressed in another way', answering(200, { ...png, 'content-encoding': 'br' }, picture)],
  ['is large only when it is inflated', answering(200, packed, gzipSync(large))],
  ['is an HTML page', answering(200, { 'content-type': 'text/html' }, '<!doctype html>')],
  ['is answered with 404', answering(404, {})],
  ['is redirected to plain http', answering(302, { location: 'http://a.test/1.png' })],
  ['is redirected into the private network', answering(302, { location: 'https://b.test/1.png' })],
  [
    'is redirected to a metadata service',
    answering(302, { location: 'https://169.254.169.254/latest/meta-data' }),
  ],
])('an output that %s is not copied, keeps its link, and is logged once', async (_, answer) => {
  const origin = await providerOrigin(answer)
  const world = await mirrorWorld({ maxOutputBytes: 1000 })
  const id = await world.completedWith(origin.url('1.png?signature=hunter2'))
  const completed = await world.jobText(id)
  await world.driveToRest(id)

  const asked = origin.heads.length
  expect(asked).toBeLessThanOrEqual(5)
  await world.clock.advance(60 * 60_000)
  expect(origin.heads).toHaveLength(asked)
  expect(await world.locationOf(id)).toBe(origin.url('1.png?signature=hunter2'))
  expect(await world.jobText(id)).toBe(completed)
  expect(world.provider.ledger).toHaveLength(1)
  expect(await readdir(world.folder)).toEqual([])
  expect(world.log.errors).toHaveLength(1)
  expect(world.log.errors[0]).toContain(id)
  expect(world.log.warnings.filter((line) => line.includes(id)).length).toBeLessThanOrEqual(1)
  expect(world.log.lines.join()).not.toContain('hunter2')
})

test('an output at a link into the private network is not requested and keeps its link', async () => {
  const inside = await loopbackOrigin((socket) => socket.end(), { tls: true })
  const world = await mirrorWorld()
  const link = `https://b.test:${inside.port}/1.png`
  const id = await world.completedWith(link)
  await world.driveToRest(id)
  expect(inside.connections).toEqual([])
  expect(await world.locationOf(id)).toBe(link)
  expect(world.log.errors).toHaveLength(1)
  await inside[Symbol.asyncDispose]()
})

test('an output at an address of this machine fails its job and is not requested', async () => {
  const origin = await providerOrigin()
  const world = await mirrorWorld()
  const input = { prompt: 'a kite', output_urls: [`https://127.0.0.1:${origin.port}/1.png`] }
  const { job } = await world.service.create({ owner: 'alice', model: 'fake-image', input })
  expect(await world.driveToRest(job.id)).toMatchObject({ error: { code: 'output_invalid' } })
  expect(origin.connections).toEqual([])
  expect(await world.locationOf(job.id)).toBe('')
})

test('the default fetch of diskFiles refuses an address of this machine', async () => {
  const origin = await providerOrigin()
  const { fetch } = diskFiles({ folder: temporaryFolder() })
  const { signal } = new AbortController()
  const limits = { accept: ['image/*'], maxBytes: 1e6, timeoutMs: 5000, signal }
  await expect(fetch?.(`https://127.0.0.1:${origin.port}/1.png`, limits)).rejects.toThrow('refused')
  expect(origin.connections).toEqual([])
})

test('the copy of an output is given up after 24 attempts over more than two hours', async () => {
  const origin = await providerOrigin(answering(503, {}))
  const world = await mirrorWorld()
  const id = await world.completedWith(origin.url('1.png'))
  const startedAt = world.clock.now()
  await world.driveToRest(id)
  expect(origin.heads).toHaveLength(24)
  expect(world.clock.now() - startedAt).toBeGreaterThan(2 * 60 * 60_000)
  expect(await world.locationOf(id)).toBe(origin.url('1.png'))
  expect(world.log.errors).toHaveLength(1)
})
