import assert from 'node:assert/strict'
import { expectError } from './expect-error.ts'
import type { Reply } from './reply.ts'
import type { Cases, SuiteClient } from './suite-client.ts'
import { endless, failing, quick } from './suite-jobs.ts'

/** A receiver of the suite's service. The status at the end of its path is its answer. */
const receiver = (status: number) => `https://receiver.example/${status}`

interface Deliveries {
  readonly object: string
  readonly data: readonly Readonly<Record<string, unknown>>[]
  readonly next_attempt_at: string | null
}

function deliveriesIn(reply: Reply): Deliveries {
  assert.equal(reply.status, 200, reply.head)
  assert.equal(reply.headers.get('content-type'), 'application/json')
  const deliveries = JSON.parse(reply.text) as Deliveries
  assert.deepEqual(Object.keys(deliveries), ['object', 'data', 'next_attempt_at'])
  assert.equal(deliveries.object, 'list')
  return deliveries
}

/** The deliveries of the job, once there is at least one. */
async function tried(client: SuiteClient, id: string): Promise<Deliveries> {
  const giveUpAt = Date.now() + 15_000
  for (;;) {
    const deliveries = deliveriesIn(await client.send({ path: `/v1/jobs/${id}/deliveries` }))
    if (deliveries.data.length > 0) return deliveries
    assert.ok(Date.now() < giveUpAt, 'nothing was delivered within 15 s')
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

export const webhookCases: Cases = {
  'a job with a webhook_url delivers its end, and the tries are listed for its owner': async (client) => {
    const job = await client.createAndWait({ ...quick, webhook_url: receiver(204) })
    const { data, next_attempt_at: next } = await tried(client, job.id)
    const [delivery] = data
    assert.deepEqual(Object.keys(delivery ?? {}), [
      'object',
      'event',
      'attempted_at',
      'status',
      'response_status',
      'error',
    ])
    const { attempted_at: at, ...rest } = delivery ?? {}
    assert.ok(Date.parse(String(at)) >= Date.parse(String(job.completed_at)))
    assert.deepEqual(rest, {
      object: 'delivery',
      event: 'job.completed',
      status: 'delivered',
      response_status: 204,
      error: null,
    })
    assert.equal(next, null)
  },

  'a receiver that fails is tried again, and the reason is told in words': async (client) => {
    const { id } = await client.createAndWait({ ...failing, webhook_url: receiver(500) })
    const { data, next_attempt_at: next } = await tried(client, id)
    const { event, status, response_status: answer, error } = data.at(-1) ?? {}
    assert.deepEqual([event, status, answer], ['job.failed', 'failed', 500])
    assert.match(String(error), /500/)
    assert.ok(next !== null && !Number.isNaN(Date.parse(next)))
  },

  'a receiver that answers 410 is not tried again': async (client) => {
    const { id } = await client.createAndWait({ ...quick, webhook_url: receiver(410) })
    const { data, next_attempt_at: next } = await tried(client, id)
    assert.deepEqual([data.length, data[0]?.['response_status'], next], [1, 410, null])
  },

  'webhook_url and webhook_events are in no job object, and not in its input': async (client) => {
    const job = await client.createAndWait({
      ...quick,
      webhook_url: receiver(200),
      webhook_events: ['job.failed'],
    })
    assert.ok(!JSON.stringify(job).includes('webhook'), JSON.stringify(job))
    assert.ok(!JSON.stringify(await client.job(job.id)).includes('receiver.example'))
    const list = deliveriesIn(await client.send({ path: `/v1/jobs/${job.id}/deliveries` }))
    assert.deepEqual([list.data, list.next_attempt_at], [[], null])
  },

  'a webhook_url or webhook_events that is not accepted is 400 and names the field': async (client) => {
    const wrong: [fields: object, param: string][] = [
      [{ webhook_url: 'http://receiver.example/' }, 'webhook_url'],
      [{ webhook_url: 'receiver' }, 'webhook_url'],
      [{ webhook_url: 7 }, 'webhook_url'],
      [{ webhook_url: `https://receiver.example/${'x'.repeat(2048)}` }, 'webhook_url'],
      [{ webhook_url: 'https://private.example/' }, 'webhook_url'],
      [{ webhook_events: ['job.completed'] }, 'webhook_url'],
      [{ webhook_url: receiver(200), webhook_events: [] }, 'webhook_events'],
      [{ webhook_url: receiver(200), webhook_events: 'job.failed' }, 'webhook_events'],
      [{ webhook_url: receiver(200), webhook_events: ['job.started'] }, 'webhook_events'],
    ]
    for (const [fields, param] of wrong) {
      const reply = await client.send({ path: '/v1/generate', body: { ...quick, ...fields } })
      expectError(reply, 'invalid_request', { param })
    }
    const none = { ...quick, webhook_url: null, webhook_events: null }
    assert.equal((await client.createAndWait(none)).status, 'completed')
  },

  'the same idempotency key with another webhook_url is 422': async (client) => {
    const headers = [['Idempotency-Key', 'a-key-for-one-webhook']] as const
    const body = { ...quick, webhook_url: receiver(200) }
    const { id } = await client.create(body, { headers })
    assert.equal((await client.create(body, { headers })).id, id)
    for (const other of [quick, { ...quick, webhook_url: receiver(204) }])
      expectError(await client.send({ path: '/v1/generate', body: other, headers }), 'idempotency_key_reused')
  },

  'the deliveries of a job without a webhook, or that has not ended, are an empty list': async (client) => {
    for (const body of [endless, { ...endless, webhook_url: receiver(200) }]) {
      const { id } = await client.create(body)
      const { data, next_attempt_at: next } = deliveriesIn(
        await client.send({ path: `/v1/jobs/${id}/deliveries` }),
      )
      assert.deepEqual([data, next], [[], null])
    }
  },

  'the deliveries of a job that is unknown or of another owner are 404': async (client) => {
    const { id } = await client.createAndWait({ ...quick, webhook_url: receiver(200) })
    for (const path of [`/v1/jobs/${id}/deliveries`, '/v1/jobs/no-such-job/deliveries'])
      expectError(await client.send({ path, as: 'bob' }), 'job_not_found')
  },

  'the deliveries need a key, and other methods are refused': async (client) => {
    const path = '/v1/jobs/some-job/deliveries'
    expectError(await client.send({ path, as: 'nobody' }), 'missing_api_key')
    const options = await client.send({ method: 'OPTIONS', path })
    assert.deepEqual([options.status, options.headers.get('allow')], [204, 'GET, HEAD, OPTIONS'])
    for (const method of ['POST', 'PUT', 'DELETE'])
      expectError(await client.send({ method, path }), 'method_not_allowed')
  },
}
