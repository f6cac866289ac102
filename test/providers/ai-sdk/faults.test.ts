import { describe, expect, test } from 'vitest'
import { always, type Trouble } from '../vendor-server.ts'
import { isFor, type SdkStep, sdkWorld } from './sdk-world.ts'
import { blocking, durable, vendorOf } from './vendors.ts'

/** A job whose requests of one kind meet trouble, once it has ended. */
async function jobWith(
  model: string,
  step: SdkStep,
  trouble: Trouble,
  changes: Parameters<typeof sdkWorld>[1] = {},
) {
  const { vendor, create, finished } = await sdkWorld(model, changes)
  vendor.trouble(isFor(step), trouble)
  return { job: await finished(await create()), vendor }
}

/** An error in the vendor's words, in which it says our key. */
function error(model: string, status: number): Trouble {
  const { error, secret } = vendorOf(model)
  return always({ instead: { status, json: error(`The field "seed" is wrong, ${secret}.`) } })
}

/** What the vendor answers when it has executed the request. */
const saying = (json: unknown): Trouble => ({ after: () => ({ json }) })

describe.each([...durable, ...blocking])('submit: %s', (model) => {
  test.each([400, 402, 413, 422])('%s is a refusal that costs nothing', async (status) => {
    const { job, vendor } = await jobWith(model, 'submit', error(model, status))
    expect([job.phase, job.error?.code, vendor.ledger.length]).toEqual(['failed', 'provider_rejected', 0])
    const isOurs = status === 402
    expect(job.error?.message.includes('seed')).toBe(!isOurs)
  })

  test('after an answer that is none nobody knows, and nothing is submitted again', async () => {
    const { job, vendor } = await jobWith(model, 'submit', saying(['?']))
    expect([job.error?.code, vendor.ledger.length]).toEqual(['submit_ambiguous', 1])
  })

  test('after 30 s of silence nobody knows, and nothing is submitted again', async () => {
    const { job, vendor } = await jobWith(model, 'submit', { after: 'hold' }, { callTimeoutMs: 30_000 })
    expect([job.error?.code, vendor.ledger.length]).toEqual(['submit_ambiguous', 1])
  })

  test('a vendor that is not there is tried again', async () => {
    const { vendor, create, finished } = await sdkWorld(model)
    await vendor.close()
    expect((await finished(await create(), ({ attempts }) => attempts === 3)).phase).toBe('accepted')
  })
})

test.each(durable)('%s: a task that was taken on without a name is ambiguous', async (model) => {
  const { job, vendor } = await jobWith(model, 'submit', saying({}))
  expect([job.error?.code, vendor.ledger.length]).toEqual(['submit_ambiguous', 1])
})

describe.each(durable)('poll: %s', (model) => {
  test('a word that nobody knows means that it goes on', async () => {
    const json = { id: 'x', status: 'pondering', urls: { get: 'x' } }
    const { job } = await jobWith(model, 'poll', { instead: { json } })
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
    const { job } = await jobWith(model, 'poll', { instead: { json: vendorOf(model).film?.(url) } })
    expect(job.error?.code).toBe('output_invalid')
  })
})

describe('a model that is waited for, whose vendor has taken the task on', () => {
  const later = ['replicate-image', 'luma-image', 'bfl-image']

  test.each(later.flatMap((model) => [429, 403, 404, 500].map((status) => [model, status] as const)))(
    '%s: a poll that is answered with %s leads to no second task',
    async (model, status) => {
      const { job, vendor } = await jobWith(model, 'poll', error(model, status))
      expect([job.error?.code, vendor.ledger.length]).toEqual(['submit_ambiguous', 1])
    },
  )

  test.each([...later, 'fal-image'])('%s: a file that is refused leads to no second task', async (model) => {
    for (const instead of ['reset', { status: 429 }, { status: 403 }] as const) {
      const { job, vendor } = await jobWith(model, 'file', always({ instead }))
      expect([job.error?.code, vendor.ledger.length]).toEqual(['submit_ambiguous', 1])
    }
  })

  test.each([...later, 'fal-image'])('%s: a vendor that goes away leads to no second task', async (model) => {
    const { job, vendor } = await jobWith(model, 'submit', { after: 'stop' })
    expect([job.error?.code, vendor.ledger.length]).toEqual(['submit_ambiguous', 1])
  })
})
