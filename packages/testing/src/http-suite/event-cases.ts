import assert from 'node:assert/strict'
import { expectError } from './expect-error.ts'
import type { WireJob } from './expect-job.ts'
import type { Reply } from './reply.ts'
import type { Cases, SuiteClient } from './suite-client.ts'
import { endless, failing, quick } from './suite-jobs.ts'

/** The body of a create whose provider reports every kind of news, and whose job finishes soon. */
const telling = { ...quick, delay_ms: 1500, progress: 0.25, queue_position: 3, preview: true } as const

interface Event {
  readonly event: string
  readonly id: string | undefined
  readonly data: string
}

/** Parses events as the HTML standard defines, and drops what a client ignores. */
function eventsIn(text: string): Event[] {
  const blocks = text.split('\n\n').map((block) => block.split('\n').filter((line) => !line.startsWith(':')))
  const field = (lines: readonly string[], name: string) =>
    lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2)
  return blocks.flatMap((lines) => {
    const data = field(lines, 'data')
    return data === undefined
      ? []
      : [{ event: field(lines, 'event') ?? 'message', id: field(lines, 'id'), data }]
  })
}

function expectEvents(reply: Reply): Event[] {
  assert.equal(reply.status, 200, reply.head)
  assert.match(reply.headers.get('content-type') ?? '', /^text\/event-stream\b/)
  assert.match(reply.headers.get('cache-control') ?? '', /\bno-store\b/)
  assert.match(reply.text, /^retry: \d+$/m)
  return eventsIn(reply.text)
}

const jobIn = ({ data }: Event) => JSON.parse(data) as WireJob

/** All events of a job that ends. */
async function eventsOf(client: SuiteClient, id: string, seenId?: string): Promise<Event[]> {
  const headers = seenId === undefined ? [] : ([['Last-Event-ID', seenId]] as const)
  return expectEvents(await client.send({ path: `/v1/jobs/${id}/events`, headers }))
}

export const eventCases: Cases = {
  'the events of a job begin with its state, go on with what its provider tells, and end with the finished job':
    async (client) => {
      let job = await client.create(telling)
      let events = await eventsOf(client, job.id)
      // On a busy machine the client may have connected after the news of such a short job.
      if (!events.some(({ event }) => event === 'progress')) {
        job = await client.create({ ...telling, delay_ms: 6000 })
        events = await eventsOf(client, job.id)
      }
      const [first, last] = [events[0], events.at(-1)]
      assert.deepEqual([first?.event, last?.event], ['state', 'done'])
      assert.equal(jobIn(first!).id, job.id)
      assert.equal(jobIn(first!).status, 'processing')
      assert.deepEqual(jobIn(last!), await client.job(job.id))
      assert.equal(events.filter(({ event }) => event === 'done').length, 1)
      const progress = events.find(({ event }) => event === 'progress')
      assert.deepEqual(JSON.parse(progress?.data ?? 'null'), { progress: 0.25, queue_position: 3 })
      const preview = events.find(({ event }) => event === 'preview')
      assert.match(preview?.data ?? '', /^data:image\/gif;base64,R0lGOD[\w+/]+=*$/)
      for (const { event, id } of events)
        assert.equal(id !== undefined, event === 'state' || event === 'done')
    },

  'events arrive while the job runs, and not when it has ended': async (client) => {
    const { id } = await client.create({ ...endless, progress: 0.5 })
    const connection = client.open()
    connection.write(client.bytes({ path: `/v1/jobs/${id}/events` }).head)
    const text = await connection.arrived(/event: progress\r?\ndata: \{"progress":0\.5\}/)
    assert.match(text, /event: state\n/)
    connection.destroy()
    assert.equal((await client.job(id)).status, 'processing')
  },

  'a client that reconnects with the id of the last state gets only later events': async (client) => {
    const { id } = await client.create(endless)
    // The provider has taken the job on by now, so its state stays the same.
    while ((await client.job(id)).started_at === null) await new Promise((resolve) => setTimeout(resolve, 50))
    const connection = client.open()
    connection.write(client.bytes({ path: `/v1/jobs/${id}/events` }).head)
    const seenId = /\nid: (.+)\ndata: /.exec(await connection.arrived(/\ndata: .*\n\n/))?.[1]
    connection.destroy()
    assert(seenId, 'a state has no id')
    const rest = eventsOf(client, id, seenId)
    await client.send({ method: 'POST', path: `/v1/jobs/${id}/cancel` })
    const events = await rest
    assert.deepEqual(
      events.map(({ event }) => event),
      ['done'],
    )
    assert.match(jobIn(events[0]!).error ?? '', /^canceled: /)
  },

  'the end of a finished job is sent at once; a client that already has it gets 204': async (client) => {
    for (const body of [quick, failing]) {
      const job = await client.createAndWait(body)
      const path = `/v1/jobs/${job.id}/events`
      const [done, ...others] = await eventsOf(client, job.id, 'something-else')
      assert.equal(done?.event, 'done')
      assert.deepEqual([jobIn(done).id, jobIn(done).status, others], [job.id, job.status, []])
      const seen = await client.send({ path, headers: [['Last-Event-ID', done.id ?? '']] })
      assert.deepEqual([seen.status, seen.body.length], [204, 0])
    }
  },

  'the events of a job that is unknown or of another owner are 404': async (client) => {
    const { id } = await client.create(endless)
    for (const path of [`/v1/jobs/${id}/events`, '/v1/jobs/no-such-job/events', '/v1/jobs/%00/events'])
      for (const method of ['GET', 'HEAD']) {
        const reply = await client.send({ method, path, as: 'bob' })
        assert.equal(reply.status, 404)
        if (method === 'GET') expectError(reply, 'job_not_found')
      }
  },

  'events need a key, and other methods are refused': async (client) => {
    const path = '/v1/jobs/some-job/events'
    expectError(await client.send({ path, as: 'nobody' }), 'missing_api_key')
    const options = await client.send({ method: 'OPTIONS', path })
    assert.equal(options.status, 204)
    assert.deepEqual(options.headers.get('allow'), 'GET, HEAD, OPTIONS')
    for (const method of ['POST', 'PUT', 'DELETE', 'PATCH'])
      expectError(await client.send({ method, path }), 'method_not_allowed')
    expectError(await client.send({ path: '/v1/jobs/a/b/events' }), 'route_not_found')
  },

  'HEAD of the events is GET without them': async (client) => {
    const { id } = await client.create(endless)
    const reply = await client.send({ method: 'HEAD', path: `/v1/jobs/${id}/events` })
    assert.equal(reply.status, 200)
    assert.match(reply.headers.get('content-type') ?? '', /^text\/event-stream\b/)
    // RFC 9110 section 8.6: the header may only have the length that GET would have, which is unknown for a stream.
    assert.equal(reply.headers.has('content-length'), false)
  },

  'a hundred clients who leave in the middle leave room for others': async (client) => {
    const { id } = await client.create(endless)
    for (let round = 0; round < 10; round++) {
      const connections = Array.from({ length: 10 }, () => client.open())
      for (const { write } of connections) write(client.bytes({ path: `/v1/jobs/${id}/events` }).head)
      await Promise.all(connections.map(({ arrived }) => arrived(/event: state/)))
      for (const { destroy } of connections) destroy()
    }
    assert.equal((await client.job(id)).status, 'processing')
  },
}
