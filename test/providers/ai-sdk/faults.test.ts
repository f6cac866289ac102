import type { Job } from '@genmount/core'
import { describe, expect, test } from 'vitest'
import { blocking, durable } from './vendors/vendors.ts'
import { type Fault, key, type Reply } from './vendors/vendor-server.ts'
import { hasEnded, vendorOf, world } from './world.ts'

const input = { prompt: 'a fox in the snow' }

/** A job whose vendor has these faults, once it has ended or `isSo`. */
async function jobWith(
  model: string,
  faults: readonly Fault[],
  isSo: (job: Job) => boolean = hasEnded,
  changes: Parameters<typeof world>[1] = {},
) {
  const { vendor, start, until, log, jobs } = await world(model, changes)
  vendor.faults.push(...faults)
  const { service } = start()
  const { job: created } = await service.create({ owner: 'ada', model, input })
  const job = await until(created.id, (job) => hasEnded(job) || isSo(job))
  expect(JSON.stringify([job, log.lines, await jobs.get(job.id)])).not.toContain(key)
  return { job, vendor, service, until }
}

/** An error in the vendor's words, in which it says our key. */
const error = (model: string, status: number, headers: Record<string, string> = {}): Reply => ({
  status,
  json: vendorOf(model).fake.error(`The field "seed" is wrong, ${key}.`),
  headers,
})

describe.each([...durable, ...blocking])('submit: %s', (model) => {
  test.each([400, 401, 402, 403, 404, 409, 413, 422])(
    '%s is a refusal that costs nothing',
    async (status) => {
      const { job, vendor } = await jobWith(model, [{ step: 'submit', answer: error(model, status) }])
      expect([job.phase, job.error?.code, vendor.ledger.length]).toEqual(['failed', 'provider_rejected', 0])
      const isOurs = [401, 402, 403].includes(status)
      expect(job.error?.message.includes('seed')).toBe(!isOurs)
    },
  )

  test.each([408, 503])('after %s nobody knows, and nothing is submitted again', async (status) => {
    for (const taken of [false, true]) {
      const { job, vendor } = await jobWith(model, [
        { step: 'submit', answer: error(model, status), taken, times: 1 },
      ])
      expect([job.error?.code, vendor.ledger.length]).toEqual(['submit_ambiguous', Number(taken)])
    }
  })

  test.each<[string, Fault['answer']]>([
    ['a reset', 'reset'],
    ['half an answer', { status: 200, text: '{"id":"task-1' }],
    ['an answer that is none', { status: 200, json: ['?'] }],
  ])('after %s nobody knows, and nothing is submitted again', async (_what, answer) => {
    const { job, vendor } = await jobWith(model, [{ step: 'submit', answer, taken: true, times: 1 }])
    expect([job.error?.code, vendor.ledger.length]).toEqual(['submit_ambiguous', 1])
  })

  test('after 30 s of silence nobody knows, and nothing is submitted again', async () => {
    const faults: Fault[] = [{ step: 'submit', answer: 'silence', taken: true, times: 1 }]
    const { job, vendor } = await jobWith(model, faults, hasEnded, { callTimeoutMs: 30_000 })
    expect([job.error?.code, vendor.ledger.length]).toEqual(['submit_ambiguous', 1])
  })

  test.each([
    ['a few seconds', { 'retry-after': '7' }, 7000],
    ['a date', { 'retry-after': new Date(Date.now() + 1_200_000).toUTCString() }, 600_000],
    ['nonsense', { 'retry-after': 'soon' }, 400],
    ['ten days', { 'retry-after': '864000' }, 1_700_000],
  ])('429 with %s is submitted again later, within the deadline', async (_what, headers, atLeastMs) => {
    const faults: Fault[] = [{ step: 'submit', answer: error(model, 429, headers), times: 1 }]
    const { job, vendor } = await jobWith(model, faults, ({ attempts }) => attempts === 1)
    expect([job.phase, vendor.ledger.length]).toEqual(['accepted', 0])
    expect((job.dueAt ?? 0) - job.createdAt).toBeGreaterThanOrEqual(atLeastMs)
    expect(job.dueAt).toBeLessThanOrEqual(job.deadlineAt)
  })

  test('429 once costs nothing but time', async () => {
    const { job, vendor } = await jobWith(model, [
      { step: 'submit', answer: error(model, 429, { 'retry-after': '2' }), times: 1 },
    ])
    expect([job.phase, vendor.ledger.length]).toEqual(['completed', 1])
  })

  test('a vendor that is not there is tried again', async () => {
    const { vendor, start, until } = await world(model)
    await vendor.close()
    const { service } = start()
    const { job } = await service.create({ owner: 'ada', model, input })
    expect((await until(job.id, ({ attempts }) => attempts === 3)).phase).toBe('accepted')
  })
})

test.each(durable)('%s: a task that was taken on without a name is ambiguous', async (model) => {
  const { job, vendor } = await jobWith(model, [{ step: 'submit', answer: { json: {} }, taken: true }])
  expect([job.error?.code, vendor.ledger.length]).toEqual(['submit_ambiguous', 1])
})

describe.each(durable)('poll: %s', (model) => {
  test.each<[string, Fault['answer']]>([
    ...[401, 403, 429, 500, 503].map((status) => [String(status), error(model, status)] as [string, Reply]),
    ['429 for an hour', error(model, 429, { 'retry-after': '3600' })],
    ['a reset', 'reset'],
    ['half an answer', { status: 200, text: '{"id":"task-1' }],
    ['a page of HTML', { status: 502, text: '<h1>Bad gateway</h1>' }],
  ])('%s is no news: the job goes on', async (_what, answer) => {
    const { job, vendor } = await jobWith(model, [{ step: 'poll', answer, times: 1 }])
    expect([job.phase, vendor.ledger.length]).toEqual(['completed', 1])
    expect(job.outputs).toHaveLength(1)
  })

  test('30 s of silence are no news: the job goes on', async () => {
    const faults: Fault[] = [{ step: 'poll', answer: 'silence', times: 1 }]
    const { job, vendor } = await jobWith(model, faults, hasEnded, { callTimeoutMs: 30_000 })
    expect([job.phase, vendor.ledger.length]).toEqual(['completed', 1])
  })

  test('a word that nobody knows means that it goes on', async () => {
    const answer = { json: { id: 'x', status: 'pondering', urls: { get: 'x' } } }
    const { job } = await jobWith(model, [{ step: 'poll', answer, times: 1 }])
    // fal has no words: what it answers without an error is the finished film, here none.
    const { code } = job.error ?? {}
    expect([job.phase, code]).toEqual(
      model === 'fal-video' ? ['failed', 'output_invalid'] : ['completed', undefined],
    )
  })

  test('a vendor that forgets the task has lost it', async () => {
    const { vendor, start, until } = await world(model)
    vendor.pendingPolls = 1
    const { service } = start()
    const { job } = await service.create({ owner: 'ada', model, input })
    await until(job.id, ({ phase }) => phase === 'running')
    const paid = vendor.ledger.splice(0)
    expect((await until(job.id, hasEnded)).error?.code).toBe('provider_lost')
    expect([paid.length, vendor.ledger.length]).toEqual([1, 0])
  })

  test.each([
    null,
    undefined,
    '',
    'javascript:alert(1)',
    'http://films.test/1.mp4',
    'https://me:pw@films.test/1',
  ])('a film at %s is none', async (url) => {
    const answer = { json: vendorOf(model).fake.film?.(url) }
    const { job } = await jobWith(model, [{ step: 'poll', answer, times: 1 }])
    expect(job.error?.code).toBe('output_invalid')
  })
})

describe('a model that is waited for, whose vendor has taken the task on', () => {
  const later = ['replicate-image', 'luma-image', 'bfl-image']

  test.each(later.flatMap((model) => [429, 403, 404, 500].map((status) => [model, status] as const)))(
    '%s: a poll that is answered with %s leads to no second task',
    async (model, status) => {
      const { job, vendor } = await jobWith(model, [{ step: 'poll', answer: error(model, status) }])
      expect([job.error?.code, vendor.ledger.length]).toEqual(['submit_ambiguous', 1])
    },
  )

  test.each([...later, 'fal-image'])('%s: a file that is refused leads to no second task', async (model) => {
    for (const answer of ['reset', { status: 429 }, { status: 403 }] as const) {
      const { job, vendor } = await jobWith(model, [{ step: 'file', answer }])
      expect([job.error?.code, vendor.ledger.length]).toEqual(['submit_ambiguous', 1])
    }
  })

  test.each([...later, 'fal-image'])('%s: a vendor that goes away leads to no second task', async (model) => {
    const { job, vendor } = await jobWith(model, [{ step: 'submit', answer: 'gone' }])
    expect([job.error?.code, vendor.ledger.length]).toEqual(['submit_ambiguous', 1])
  })
})

test('a vendor that says nothing holds up no other job', async () => {
  const { vendor, start, until } = await world('replicate-image')
  vendor.faults.push({ step: 'submit', answer: 'silence', taken: true, times: 1 })
  const { service } = start()
  const ask = (model: string) => service.create({ owner: 'ada', model, input })
  const silent = await ask('replicate-image')
  await until(silent.job.id, () => vendor.ledger.length === 1)
  const others = await Promise.all([ask('replicate-image'), ask('replicate-video')])
  for (const { job } of others) expect((await until(job.id, hasEnded)).phase).toBe('completed')
  expect((await service.get(silent.job.id, 'ada')).phase).toBe('submitting')
  await vendor.close()
})
