import type { JobNews } from '@genmount/core'
import { comfyApiProvider } from '@genmount/provider-comfyui/api-v2'
import { expect, onTestFinished, test, vi } from 'vitest'
import { models } from '../comfyui/comfyui-world.ts'
import { fetchLoopbackFile as fetchFile } from '../fetch-loopback-file.ts'
import { serviceWorld } from '../service-world.ts'
import { always, type VendorReply, vendorServer } from '../vendor-server.ts'
import { comfyApiFake, error, token } from './comfy-api-fake.ts'

/** As JPEG files begin. */
const jpeg = Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), Buffer.alloc(500)])
const preview = { node_id: '3', content_type: 'image/jpeg', data_base64: jpeg.toString('base64') }
const progress = (value: number) => ({ value, nodes_done: 1, nodes_total: 4, current_node: '3' })

/** A job that runs at Comfy until `finish`, and somebody who may watch it. */
async function watchedWorld() {
  const fake = await comfyApiFake({ polls: Infinity, servesFiles: true })
  const provider = () => comfyApiProvider({ token, baseUrl: fake.origin, models, fetchFile })
  const world = serviceWorld(() => [provider()], { vendor: fake })
  onTestFinished(world.close)
  const heard: JobNews[] = []
  const onNews = (news: JobNews) => void heard.push(news)
  const id = await world.create('comfy-image')
  const asked = () => fake.requests.filter(({ url }) => url.pathname.endsWith('/events'))
  return {
    ...world,
    fake,
    heard,
    id,
    watch: () => world.service.watch(id, 'alice', { onChange() {}, onEnd() {}, onNews }),
    asked,
    /** Goes on until Comfy was polled so often. */
    async polled(times: number): Promise<void> {
      const polls = () => fake.requests.length - asked().length
      for (const end = polls() + times; polls() < end; await world.settle()) await world.clock.advance(10_000)
    },
    /** Waits until it is so, while the clock of the service moves on. */
    soon: (isSo: () => void) =>
      vi.waitFor(
        async () => {
          await world.clock.advance(300)
          isSo()
        },
        { timeout: 60_000, interval: 20 },
      ),
    finish: () => void (fake.last().pollsLeft = 0),
  }
}

type World = Awaited<ReturnType<typeof watchedWorld>>

/** The same, watched, with the stream open. */
async function streamingWorld(): Promise<World> {
  const world = await watchedWorld()
  await world.watch()
  await world.soon(() => expect(world.fake.streams.count()).toBe(1))
  return world
}

test('who watches a job at Comfy receives its progress and previews from the stream, which ends with the job', async () => {
  const { fake, heard, id, asked, soon, finish, finished } = await streamingWorld()
  fake.streams.send('status', { status: 'queued', queue_position: 7 })
  await soon(() => expect(heard).toContainEqual({ queuePosition: 7 }))
  fake.streams.send('progress', progress(0.42))
  await soon(() => expect(heard).toContainEqual({ progress: 0.42 }))
  fake.streams.send('preview', preview)
  await soon(() =>
    expect(heard).toContainEqual(
      expect.objectContaining({ preview: { bytes: new Uint8Array(jpeg), contentType: 'image/jpeg' } }),
    ),
  )
  finish()
  expect(await finished(id)).toMatchObject({ phase: 'completed' })
  await soon(() => expect(fake.streams.count()).toBe(0))
  expect(asked()).toHaveLength(1)
})

test('the events of a job that nobody watches are not asked for, and a stream ends with the watch', async () => {
  const { fake, watch, asked, soon, polled } = await watchedWorld()
  await polled(5)
  expect(asked()).toHaveLength(0)
  const end = await watch()
  await soon(() => expect(fake.streams.count()).toBe(1))
  end()
  await soon(() => expect(fake.streams.count()).toBe(0))
  await new Promise((resolve) => setTimeout(resolve, 1200))
  expect(asked()).toHaveLength(1)
})

test('a stream of events is asked for with the key, and the key follows no redirect', async () => {
  const other = await vendorServer(() => ({ json: {} }))
  onTestFinished(() => other.close())
  const { fake, id, watch, asked, soon, finish, finished } = await watchedWorld()
  fake.trouble(
    '/events',
    always({ instead: { status: 307, headers: { location: `${other.origin}/events` } } }),
  )
  await watch()
  await soon(() => expect(asked()).toHaveLength(1))
  expect(asked()[0]?.headers).toMatchObject({
    authorization: `Bearer ${token}`,
    accept: 'text/event-stream',
  })
  finish()
  expect(await finished(id)).toMatchObject({ phase: 'completed' })
  expect(other.requests).toHaveLength(0)
})

test('a stream of events that breaks is opened again, and the progress goes on', async () => {
  const { fake, heard, asked, soon } = await streamingWorld()
  fake.streams.cut()
  await soon(() => expect(fake.streams.count()).toBe(0))
  await soon(() => expect(fake.streams.count()).toBe(1))
  expect(asked()).toHaveLength(2)
  fake.streams.send('progress', progress(0.42))
  await soon(() => expect(heard).toContainEqual({ progress: 0.42 }))
})

test.each<[string, VendorReply | 'reset']>([
  ['is not served', error(501, 'not_implemented', 'No streams.')],
  ['is one too many', error(429, 'too_many_streams', 'Close one.')],
  ['is answered with a page', { headers: { 'content-type': 'text/html' }, body: '<h1>Log in</h1>' }],
  ['ends at once', { headers: { 'content-type': 'text/event-stream' }, body: 'event: status' }],
  ['fails', error(500, 'upstream_error', 'Down')],
  ['is reset', 'reset'],
])(
  'a job completes although its stream of events %s, which is not asked for again and again',
  async (_how, instead) => {
    const { fake, id, watch, asked, soon, polled, finish, finished } = await watchedWorld()
    fake.trouble('/events', always({ instead }))
    await watch()
    await soon(() => expect(asked().length).toBeGreaterThan(0))
    await polled(20)
    expect(asked().length).toBeLessThanOrEqual(4)
    finish()
    expect(await finished(id)).toMatchObject({ phase: 'completed' })
  },
)

test.each<[string, (streams: World['fake']['streams']) => void]>([
  ['an event of two megabytes', ({ send }) => send('output', { name: 'a'.repeat(2_000_000) })],
  ['an event without an end', ({ write }) => write(`data: ${'a'.repeat(2_000_000)}`)],
  ['ten megabytes in a second', ({ write }) => write(`${':'.padEnd(100_000)}\n`.repeat(100))],
  ['thousands of events in a second', ({ write }) => write('data: {}\n\n'.repeat(5000))],
])('a stream that brings %s is closed and left alone, and the job completes', async (_what, flood) => {
  const { fake, id, asked, soon, finish, finished } = await streamingWorld()
  flood(fake.streams)
  await soon(() => expect(fake.streams.count()).toBe(0))
  await new Promise((resolve) => setTimeout(resolve, 1500))
  expect(asked()).toHaveLength(1)
  finish()
  expect(await finished(id)).toMatchObject({ phase: 'completed' })
})

test.each(['succeeded', 'failed', 'canceled', 'expired'])(
  'an event that says that a job has %s ends the stream and not the job',
  async (status) => {
    const { fake, id, asked, soon, polled, finish, job, finished } = await streamingWorld()
    fake.streams.send('status', { status, queue_position: null })
    await soon(() => expect(fake.streams.count()).toBe(0))
    await polled(5)
    expect(await job(id)).toMatchObject({ phase: 'running' })
    finish()
    expect(await finished(id)).toMatchObject({ phase: 'completed' })
    expect(asked()).toHaveLength(1)
  },
)

test('events with values that are none reach nobody, and the next events do', async () => {
  const { fake, heard, soon } = await streamingWorld()
  const svg = Buffer.from('<svg onload="alert(1)">').toString('base64')
  fake.streams.send('preview', { ...preview, data_base64: svg })
  fake.streams.send('preview', { ...preview, data_base64: 5 })
  fake.streams.send('progress', { value: 'half' })
  fake.streams.send('status', { status: 'queued', queue_position: 'first' })
  fake.streams.send('log', { level: 'info', message: 'half' })
  fake.streams.write('event: progress\ndata: {\n\ndata: 5\n\nevent: status\ndata: null\n\n')
  fake.streams.send('progress', progress(0.42))
  await soon(() => expect(heard).toContainEqual({ progress: 0.42 }))
  // The polls say 0, and the stream has begun with a place in the queue, or without one.
  const expected = [{ progress: 0.42 }, { progress: 0 }, { queuePosition: 2 }]
  for (const news of heard) expect(expected).toContainEqual(news)
})

test('a stream may have a mark of its encoding, comments, other line ends, data in lines, and pieces that end anywhere', async () => {
  const { fake, watch, heard, soon } = await watchedWorld()
  const lines = [
    '\uFEFF: Größe',
    'retry: 5',
    'event:progress',
    'data: {"message":"½",',
    'data:"value":0.42}',
    '',
    '',
  ]
  const pieces = [...Buffer.from(lines.join('\r\n'))].map((byte) => Uint8Array.of(byte))
  const headers = { 'content-type': 'text/event-stream; charset=utf-8' }
  fake.trouble('/events', { instead: { headers, body: pieces } })
  await watch()
  await soon(() => expect(heard).toContainEqual({ progress: 0.42 }))
})
