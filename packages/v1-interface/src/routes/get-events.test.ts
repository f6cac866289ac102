import { createGenerationService, type JobNews, type JobWatcher } from '@genmount/core'
import { fakeProvider, fakeWorld, quietLog } from '@genmount/testing'
import { expect, test } from 'vitest'
import { createV1Interface } from '../interface/v1-interface.ts'
import type { TextSource, V1Reply } from '../interface/v1-request.ts'
import { options } from '../test-kit/set-up.ts'

/** Parses the events in a text into their fields. */
function eventsIn(text: string): Record<string, string>[] {
  return text
    .split('\n\n')
    .filter(Boolean)
    .map((block) =>
      Object.fromEntries(
        block.split('\n').map((line) => [line.split(': ', 1)[0], line.slice(line.indexOf(': ') + 2)]),
      ),
    )
}

/** Mounts the interface over a service whose clock the test moves. */
function world(input: object = {}, serviceOptions: object = {}) {
  const { clock, service, create } = fakeWorld({}, serviceOptions)
  const answer = createV1Interface(service, options)
  const leaving = new Set<() => void>()

  async function events(id: string, seenId?: string, key = 'alice-key', method = 'GET'): Promise<V1Reply> {
    const headers: Record<string, string> = { host: 'media.test', authorization: `Bearer ${key}` }
    if (seenId !== undefined) headers['last-event-id'] = seenId
    return answer({
      method,
      path: `/v1/jobs/${id}/events`,
      mountPath: '',
      scheme: 'http',
      header: (name) => headers[name],
      headers: () => headers,
      body: () => ({ value: undefined }),
      onLeave(leave) {
        leaving.add(leave)
        return () => leaving.delete(leave)
      },
    })
  }
  const made = () => create({ delay_ms: 60_000, ...input })
  return { clock, service, made, events, leave: () => leaving.forEach((each) => each()) }
}

const textOf = (reply: V1Reply) => reply.body as TextSource

/** The whole text of the reply, read while the clock advances. */
async function whole(reply: V1Reply, advance: () => Promise<void>): Promise<string> {
  let text = ''
  const read = (async () => {
    for (let piece = await textOf(reply).next(); piece !== undefined; piece = await textOf(reply).next())
      text += piece
  })()
  await advance()
  await read
  return text
}

test('the event stream begins with the job object, goes on with progress, and ends with the finished job', async () => {
  const { clock, made, events, service } = world({ progress: 1 / 3, queue_position: 2, preview: true })
  const { id } = await made()
  const reply = await events(id)
  expect(reply).toMatchObject({
    status: 200,
    headers: {
      'content-type': 'text/event-stream',
      'cache-control': 'no-store, no-transform',
      'x-accel-buffering': 'no',
      'x-request-id': expect.any(String),
    },
  })
  const text = await whole(reply, () => clock.advance(120_000))
  const all = eventsIn(text).filter((event) => event['event'])
  const names = all.map((event) => event['event'])
  expect(text).toMatch(/^retry: \d+\n\nevent: state\nid: \S+\ndata: \{"id"/)
  expect([names[0], names.at(-1), new Set(names)]).toEqual([
    'state',
    'done',
    new Set(['state', 'progress', 'preview', 'done']),
  ])
  expect(JSON.parse(all[0]!['data']!)).toMatchObject({ id, object: 'generation', status: 'processing' })
  expect(JSON.parse(all.at(-1)!['data']!)).toMatchObject({ id, status: 'completed', data: [{}] })
  const { data: progress } = all.find((event) => event['event'] === 'progress')!
  expect(JSON.parse(progress!)).toEqual({ progress: 0.333, queue_position: 2 })
  expect(all.find((event) => event['event'] === 'preview')!['data']).toMatch(
    /^data:image\/gif;base64,R0lGOD[\w+/]+=*$/,
  )
  expect((await service.health()).waiters).toBe(0)
})

test('the event stream sends a state once, although each poll changes the stored job', async () => {
  const { clock, made, events } = world()
  const { id } = await made()
  const text = await whole(await events(id), () => clock.advance(120_000))
  const data = eventsIn(text).flatMap((event) => (event['event'] ? [event['data']] : []))
  expect(data.length).toBe(new Set(data).size)
})

test('a client that reconnects with Last-Event-ID is not sent that state again, by any process', async () => {
  const { clock, made, events } = world()
  const { id } = await made()
  await clock.advance(5000)
  const [first] = eventsIn((await textOf(await events(id)).next()) ?? '').filter((event) => event['id'])
  await clock.advance(10_000)
  const again = await whole(await events(id, first!['id']), () => clock.advance(120_000))
  expect(eventsIn(again).flatMap((event) => event['event'] ?? [])).toEqual(['done'])
})

test('a client that connects after the end gets the event done at once, and 204 when it reconnects', async () => {
  const { clock, made, events } = world()
  const { id } = await made()
  await clock.advance(120_000)
  const text = await whole(await events(id, 'processing-1-0'), async () => {})
  const [done] = eventsIn(text).filter((event) => event['event'])
  expect(done).toMatchObject({ event: 'done' })
  for (const method of ['GET', 'HEAD'])
    expect((await events(id, done!['id'], 'alice-key', method)).status).toBe(204)
})

test('an event stream without news sends a comment at least every 8 seconds, before Bun closes it as idle', async () => {
  const { clock, made, events } = world()
  const { id } = await made()
  const reply = await events(id)
  await textOf(reply).next()
  await clock.advance(100)
  let saidAt = clock.now()
  const pauses: number[] = []
  void (async () => {
    for (let piece = await textOf(reply).next(); piece !== undefined; piece = await textOf(reply).next()) {
      if (piece.startsWith(':')) pauses.push(clock.now() - saidAt)
      saidAt = clock.now()
    }
  })()
  for (let second = 0; second < 60; second++) await clock.advance(1000)
  expect(pauses.length).toBeGreaterThanOrEqual(7)
  expect(Math.max(...pauses)).toBeLessThan(8000)
})

test('a slow reader of an event stream gets only the newest progress and preview, and the older ones take no memory', async () => {
  let watcher: JobWatcher | undefined
  const service = createGenerationService({ providers: [fakeProvider()], log: quietLog() })
  const { job } = await service.create({
    owner: 'alice',
    model: 'fake-image',
    input: { prompt: 'a', delay_ms: 600_000 },
  })
  const answer = createV1Interface(
    {
      ...service,
      watch: async (_id, _owner, given) => {
        watcher = given
        given.onChange(job)
        return () => {}
      },
    },
    options,
  )
  const request = { path: `/v1/jobs/${job.id}/events`, host: 'a', authorization: 'Bearer alice-key' }
  const reply = await answer({
    method: 'GET',
    path: request.path,
    mountPath: '',
    scheme: 'http',
    header: (name) => (request as Record<string, string>)[name],
    headers: () => ({}),
    body: () => ({ value: undefined }),
  })
  await textOf(reply).next()
  const picture = (fill: number) => ({ bytes: new Uint8Array(60_000).fill(fill), contentType: 'image/png' })
  for (let step = 0; step < 1000; step++)
    watcher?.onNews({ progress: step / 1000, preview: picture(step % 256) } satisfies JobNews)
  const piece = (await textOf(reply).next()) ?? ''
  expect(piece.match(/^event: /gm)).toHaveLength(2)
  expect(piece).toContain('data: {"progress":0.999}')
  expect(piece.length).toBeLessThan(90_000)
  textOf(reply).cancel()
  await service.close()
})

test('a client that leaves an event stream frees its place, its timers and its subscriptions', async () => {
  const { clock, made, events, leave, service } = world()
  const { id } = await made()
  await clock.advance(5000)
  const timers = clock.pendingTimers
  const reply = await events(id)
  await textOf(reply).next()
  const pending = textOf(reply).next()
  expect((await service.health()).waiters).toBe(1)
  leave()
  expect(await pending).toBeUndefined()
  expect([(await service.health()).waiters, clock.pendingTimers]).toEqual([0, timers])
})

test('closing the service ends its event streams', async () => {
  const { made, events, service } = world()
  const { id } = await made()
  const reply = await events(id)
  await textOf(reply).next()
  const pending = textOf(reply).next()
  await service.close()
  expect(await pending).toBeUndefined()
  expect((await events(id)).status).toBe(503)
})

test('an event stream without a free place is 503, and a HEAD needs no place', async () => {
  const { made, events } = world({}, { maxWaiters: 1, maxWaitersPerOwner: 1 })
  const { id } = await made()
  expect((await events(id)).status).toBe(200)
  const refused = await events(id)
  expect([refused.status, refused.headers['retry-after']]).toEqual([503, '3'])
  expect(refused.body).toContain('capacity_exceeded')
  const head = await events(id, undefined, 'alice-key', 'HEAD')
  expect([head.status, head.body, head.headers['content-type']]).toEqual([
    200,
    undefined,
    'text/event-stream',
  ])
})

test('the events of an unknown or foreign job are 404, and without a key 401', async () => {
  const { made, events } = world()
  const { id } = await made()
  for (const [asked, key] of [
    [id, 'bob-key'],
    ['none', 'alice-key'],
    ['%00', 'alice-key'],
  ] as const)
    for (const method of ['GET', 'HEAD'])
      expect((await events(asked, undefined, key, method)).status).toBe(404)
  expect((await events(id, undefined, 'wrong')).status).toBe(401)
})
