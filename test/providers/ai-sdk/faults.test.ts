import { describe, expect, test } from 'vitest'
import { blocking, durable } from './vendors/vendors.ts'
import { type Fault, key, type Reply } from './vendors/vendor-server.ts'
import { hasEnded, vendorOf, world } from './world.ts'

const input = { prompt: 'a fox in the snow' }

/** A job whose vendor has these faults, once it has ended. */
async function jobWith(model: string, faults: readonly Fault[], changes: Parameters<typeof world>[1] = {}) {
  const { vendor, service, until } = await world(model, changes)
  vendor.faults.push(...faults)
  const { job } = await service.create({ owner: 'ada', model, input })
  return { job: await until(job.id, hasEnded), vendor }
}

/** An error in the vendor's words, in which it says our key. */
const error = (model: string, status: number): Reply => ({
  status,
  json: vendorOf(model).fake.error(`The field "seed" is wrong, ${key}.`),
})

describe.each([...durable, ...blocking])('submit: %s', (model) => {
  test.each([400, 402, 413, 422])('%s is a refusal that costs nothing', async (status) => {
    const { job, vendor } = await jobWith(model, [{ step: 'submit', answer: error(model, status) }])
    expect([job.phase, job.error?.code, vendor.ledger.length]).toEqual(['failed', 'provider_rejected', 0])
    const isOurs = status === 402
    expect(job.error?.message.includes('seed')).toBe(!isOurs)
  })

  test('after an answer that is none nobody knows, and nothing is submitted again', async () => {
    const answer = { status: 200, json: ['?'] }
    const { job, vendor } = await jobWith(model, [{ step: 'submit', answer, taken: true, times: 1 }])
    expect([job.error?.code, vendor.ledger.length]).toEqual(['submit_ambiguous', 1])
  })

  test('after 30 s of silence nobody knows, and nothing is submitted again', async () => {
    const faults: Fault[] = [{ step: 'submit', answer: 'silence', taken: true, times: 1 }]
    const { job, vendor } = await jobWith(model, faults, { callTimeoutMs: 30_000 })
    expect([job.error?.code, vendor.ledger.length]).toEqual(['submit_ambiguous', 1])
  })

  test('a vendor that is not there is tried again', async () => {
    const { vendor, service, until } = await world(model)
    await vendor.close()
    const { job } = await service.create({ owner: 'ada', model, input })
    expect((await until(job.id, ({ attempts }) => attempts === 3)).phase).toBe('accepted')
  })
})

test.each(durable)('%s: a task that was taken on without a name is ambiguous', async (model) => {
  const { job, vendor } = await jobWith(model, [{ step: 'submit', answer: { json: {} }, taken: true }])
  expect([job.error?.code, vendor.ledger.length]).toEqual(['submit_ambiguous', 1])
})

describe.each(durable)('poll: %s', (model) => {
  test('a word that nobody knows means that it goes on', async () => {
    const answer = { json: { id: 'x', status: 'pondering', urls: { get: 'x' } } }
    const { job } = await jobWith(model, [{ step: 'poll', answer, times: 1 }])
    // fal has no state for a failure: an answer without an error is the finished result, and here it has no film.
    const { code } = job.error ?? {}
    expect([job.phase, code]).toEqual(
      model === 'fal-video' ? ['failed', 'output_invalid'] : ['completed', undefined],
    )
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
