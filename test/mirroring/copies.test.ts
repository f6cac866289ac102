import { hash } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { memoryFileStore } from '@genmount/core'
import { fakeFile } from '@genmount/testing'
import { answering, mirrorWorld, providerOrigin, sendPicture } from './mirror-world.ts'

test('outputs at links are copied to the files of the service, and clients are redirected to the copy as soon as it exists', async () => {
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const film = fakeFile('video').bytes
  const origin = await providerOrigin((socket, head) =>
    released.then(() =>
      head.startsWith('GET /film')
        ? answering(200, { 'content-type': 'video/mp4' }, film)(socket, head)
        : sendPicture(socket, head),
    ),
  )
  const world = await mirrorWorld()
  const links = [origin.url('picture?signature=1'), origin.url('film')]
  const id = await world.completedWith(...links)
  const completed = await world.jobText(id)
  expect([await world.locationOf(id), await world.locationOf(id, 1)]).toEqual(links)

  release()
  await world.driveToRest(id)
  expect(await world.jobText(id)).toBe(completed)

  // Hosted providers delete theirs after an hour or so.
  origin.answer = answering(404, {})
  for (const [n, { bytes, contentType }] of [fakeFile('image'), fakeFile('video')].entries()) {
    const location = await world.locationOf(id, n)
    expect(location).toMatch(/^http:\/\/app\.test\/v1\/outputs\//)
    const reply = await world.ask(location, { headers: {} })
    expect(reply.headers.get('content-type')).toBe(contentType)
    expect(reply.headers.get('etag')).toBe(`"${hash('sha256', bytes)}"`)
    expect(await reply.bytes()).toEqual(bytes)
  }
  expect(origin.heads).toHaveLength(2)
  expect(world.provider.ledger).toHaveLength(1)
  expect(world.log.lines.filter((line) => line.includes(id))).toEqual([])
})

test('a picture that its server sends as gzip, although nobody asked for it, is copied as the picture', async () => {
  const headers = { 'content-type': 'image/png', 'content-encoding': 'gzip' }
  const origin = await providerOrigin(answering(200, headers, gzipSync(fakeFile('image').bytes)))
  const world = await mirrorWorld()
  const id = await world.completedWith(origin.url('1.png'))
  await world.driveToRest(id)
  const reply = await world.ask(await world.locationOf(id), { headers: {} })
  expect(reply.headers.get('content-type')).toBe('image/png')
  expect(reply.headers.get('content-encoding')).toBeNull()
  expect(await reply.bytes()).toEqual(fakeFile('image').bytes)
})

test('outputs at links are not copied when the files of the service are in memory', async () => {
  const origin = await providerOrigin()
  const world = await mirrorWorld({ files: memoryFileStore() })
  const id = await world.completedWith(origin.url('1.png'))
  await world.driveToRest(id)
  await world.clock.advance(60_000)
  expect(await world.locationOf(id)).toBe(origin.url('1.png'))
  expect(origin.connections).toEqual([])
  expect(await readdir(world.folder)).toEqual([])
})
