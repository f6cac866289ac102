import { describe, expect, test, type TestContext } from 'vitest'
import { always, type Trouble } from '../vendor-server.ts'
import { isFor, type SdkStep, sdkWorld } from './sdk-world.ts'
import { blocking, durable, vendorOf } from './vendors.ts'

/** A job whose requests of one kind meet trouble, once it has ended. */
async function jobWith(
  { onTestFinished }: TestContext,
  model: string,
  step: SdkStep,
  trouble: Trouble,
  changes: Parameters<typeof sdkWorld>[1] = {},
) {
  const { vendor, create, finished } = await sdkWorld(model, changes, onTestFinished)
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

// The packages wait between their own polls, by the clock of the system.
describe.concurrent.each([...durable, ...blocking])('a submit to %s', (model) => {
  test.for([400, 402, 413, 422])(
    'that is answered with %s fails as provider_rejected and costs nothing',
    async (status, context) => {
      const { job, vendor } = await jobWith(context, model, 'submit', error(model, status))
      expect([job.phase, job.error?.code, vendor.ledger.length]).toEqual(['failed', 'provider_rejected', 0])
      const isOurs = status === 402
      expect(job.error?.message.includes('seed')).toBe(!isOurs)
    },
  )

  test('that is answered with nonsense fails as submit_ambiguous and is not repeated', async (context) => {
    const { job, vendor } = await jobWith(context, model, 'submit', saying(['?']))
    expect([job.error?.code, vendor.ledger.length]).toEqual(['submit_ambiguous', 1])
  })

  test('that is not answered within 30 seconds fails as submit_ambiguous and is not repeated', async (context) => {
    const { job, vendor } = await jobWith(
      context,
      model,
      'submit',
      { after: 'hold' },
      { callTimeoutMs: 30_000 },
    )
    expect([job.error?.code, vendor.ledger.length]).toEqual(['submit_ambiguous', 1])
  })

  test('is repeated while the vendor refuses connections', async ({ onTestFinished }) => {
    const { vendor, create, finished } = await sdkWorld(model, {}, onTestFinished)
    await vendor.close()
    expect((await finished(await create(), ({ attempts }) => attempts === 3)).phase).toBe('accepted')
  })
})

test.concurrent.for(durable)(
  'a submit to %s whose answer has no task id fails as submit_ambiguous',
  async (model, context) => {
    const { job, vendor } = await jobWith(context, model, 'submit', saying({}))
    expect([job.error?.code, vendor.ledger.length]).toEqual(['submit_ambiguous', 1])
  },
)

describe.concurrent.each(durable)('a poll of %s', (model) => {
  test('with an unknown status lets the task go on', async (context) => {
    const json = { id: 'x', status: 'pondering', urls: { get: 'x' } }
    const { job } = await jobWith(context, model, 'poll', { instead: { json } })
    // fal has no state for a failure: an answer without an error is the finished result, and here it has no film.
    const { code } = job.error ?? {}
    expect([job.phase, code]).toEqual(
      model === 'fal-video' ? ['failed', 'output_invalid'] : ['completed', undefined],
    )
  })

  test.for([
    null,
    undefined,
    '',
    'javascript:alert(1)',
    'http://films.test/1.mp4',
    'https://me:pw@films.test/1',
  ])('that reports a film at the URL %s fails the job as output_invalid', async (url, context) => {
    const { job } = await jobWith(context, model, 'poll', { instead: { json: vendorOf(model).film?.(url) } })
    expect(job.error?.code).toBe('output_invalid')
  })
})

describe.concurrent('a blocking AI SDK model whose vendor has accepted the task', () => {
  const later = ['replicate-image', 'luma-image', 'bfl-image']

  test.for(later.flatMap((model) => [429, 403, 404, 500].map((status) => [model, status] as const)))(
    'submits no second task to %s when a poll is answered with %s',
    async ([model, status], context) => {
      const { job, vendor } = await jobWith(context, model, 'poll', error(model, status))
      expect([job.error?.code, vendor.ledger.length]).toEqual(['submit_ambiguous', 1])
    },
  )

  test.for([...later, 'fal-image'])(
    'submits no second task to %s when the download of the file fails',
    async (model, context) => {
      for (const instead of ['reset', { status: 429 }, { status: 403 }] as const) {
        const { job, vendor } = await jobWith(context, model, 'file', always({ instead }))
        expect([job.error?.code, vendor.ledger.length]).toEqual(['submit_ambiguous', 1])
      }
    },
  )

  test.for([...later, 'fal-image'])(
    'submits no second task to %s when the vendor stops listening',
    async (model, context) => {
      const { job, vendor } = await jobWith(context, model, 'submit', { after: 'stop' })
      expect([job.error?.code, vendor.ledger.length]).toEqual(['submit_ambiguous', 1])
    },
  )
})
