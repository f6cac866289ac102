import { expect, onTestFinished, test, vi } from 'vitest'
import { GenerationError } from '@genmount/core'
import { type Limits, limits } from '@genmount/core/limits'
import { moderation } from '@genmount/core/moderation'
import { type FakeBehaviour, fakeProvider, fakeWorld } from '@genmount/testing'
import type { GenerationServiceOptions } from './generation-service-options.ts'

const fox = { owner: 'alice', model: 'fake-image', input: { prompt: 'a fox' } }
const price = { text: '0.4 USD per image', per: 'image', usd: 0.4 }

function setUp(options: Partial<GenerationServiceOptions> = {}, behave: FakeBehaviour = {}) {
  const models = fakeProvider().models.map((model) =>
    model.id === 'fake-image' ? { ...model, price } : model,
  )
  const world = fakeWorld({ behave: [behave], models }, options)
  onTestFinished(async () => void (await world.service.close()))
  return world
}
const withLimits = (most: Limits) => ({ plugins: [limits(most)] })

test('an estimate has the validated input as the job would show it, with its defaults, and the price of this input', async () => {
  const { service } = setUp()
  const image = 'data:image/png;base64,aGVsbG8='
  const request = {
    ...fox,
    input: { prompt: 'a fox', num_outputs: 3, image },
    metadata: { album: '7' },
  }
  const estimate = await service.estimate(request)
  const { job } = await service.create(request)
  expect(estimate).toEqual({
    model: expect.objectContaining({ id: 'fake-image', price }),
    shownInput: job.shownInput,
    metadata: { album: '7' },
    costUsd: expect.closeTo(1.2),
    refusal: undefined,
    remainingUsd: undefined,
  })
})

test('the cost of a model without a price is not known', async () => {
  const { service } = setUp()
  expect((await service.estimate({ ...fox, model: 'fake-video' })).costUsd).toBeUndefined()
})

test('an estimate stores nothing, submits nothing, and has no input checked by moderation', async () => {
  const check = vi.fn(() => 'allowed' as const)
  const { service, provider, jobs, clock } = setUp({ plugins: [moderation({ input: check })] })
  for (let n = 0; n < 3; n++) await service.estimate({ ...fox, idempotency: { key: 'k', scope: 's' } })
  await clock.advance(60_000)
  expect(check).not.toHaveBeenCalled()
  expect(provider.submits).toEqual([])
  expect(await jobs.list?.({ owner: 'alice', limit: 10, maxLength: 1_000_000 })).toEqual([])
  const made = await service.create({ ...fox, idempotency: { key: 'k', scope: 's' } })
  expect(made.replayed).toBe(false)
})

test('what would be left counts what is spent and reserved, and an estimate reserves nothing', async () => {
  const { service, create, clock } = setUp(withLimits({ spendUsdPerDay: 1 }), { costUsd: 0.3, delayMs: 5000 })
  expect(await service.estimate(fox)).toMatchObject({ refusal: undefined, remainingUsd: 0.6 })
  await create()
  await clock.advance(3000)
  expect(await service.estimate(fox)).toMatchObject({ refusal: undefined, remainingUsd: 0.2 })
  await create()
  const { refusal, remainingUsd } = await service.estimate(fox)
  const error = await create().catch((fault: unknown) => fault)
  expect(refusal).toBeInstanceOf(GenerationError)
  expect(refusal).toEqual(error)
  expect(remainingUsd).toBeUndefined()
  await clock.advance(60_000)
  expect(await service.estimate(fox)).toMatchObject({ refusal: undefined, remainingUsd: 0 })
})

test('an estimate says that too many jobs are running, by either limit, and never takes the place of a job', async () => {
  for (const options of [withLimits({ runningJobs: 1 }), { maxRunningJobsPerOwner: 1 }]) {
    const { service, create } = setUp(options, { delayMs: 60_000 })
    expect((await service.estimate(fox)).refusal).toBeUndefined()
    const [, job] = await Promise.all([service.estimate(fox), create(), service.estimate(fox)])
    expect(job.phase).toBe('accepted')
    expect((await service.estimate(fox)).refusal).toMatchObject({ code: 'too_many_running_jobs' })
  }
})

test('admit of the app hears that it is a dry run, and its refusal is that of the estimate', async () => {
  const admit = vi.fn(({ model }: { readonly model: { readonly id: string } }) => {
    if (model.id === 'fake-video') throw new GenerationError('model_not_allowed', 'Not for you.')
  })
  const { service, create } = setUp({ admit })
  const { refusal } = await service.estimate({ ...fox, model: 'fake-video' })
  expect(refusal).toMatchObject({ code: 'model_not_allowed', message: 'Not for you.' })
  expect(admit).toHaveBeenLastCalledWith(expect.objectContaining({ isDryRun: true }))
  await create()
  expect(admit).toHaveBeenLastCalledWith(expect.objectContaining({ isDryRun: false }))
})

test.each([
  [{ model: 'nope' }, 'model_not_found'],
  [{ outputKind: 'video' as const }, 'wrong_output_kind'],
  [{ input: {} }, 'missing_field'],
  [{ metadata: { a: 1 } }, 'invalid_request'],
  [{ input: { prompt: 'a fox', webhook_url: 'https://example.org' } }, 'invalid_request'],
])('an estimate of the wrong request %o is refused as its create is: %s', async (wrong, code) => {
  const { service } = setUp()
  const refused = { code }
  await expect(service.create({ ...fox, ...wrong })).rejects.toMatchObject(refused)
  await expect(service.estimate({ ...fox, ...wrong })).rejects.toMatchObject(refused)
})

test('a fault of the service is an error of the estimate and no refusal of the job', async () => {
  const admit = () => {
    throw new GenerationError('store_unavailable', 'Try again.')
  }
  const { service } = setUp({ admit })
  await expect(service.estimate(fox)).rejects.toMatchObject({ code: 'store_unavailable' })
  await service.close()
  await expect(service.estimate(fox)).rejects.toMatchObject({ code: 'shutting_down' })
})
