import { expect, test, vi } from 'vitest'
import { type Limits, limits } from '@genmount/core/limits'
import { createGenerationService, memoryBackend } from '@genmount/core'
import { type FakeBehaviour, fakeProvider, fakeWorld, quietLog } from '@genmount/testing'
import type { GenerationService } from './generation-service.ts'

const hourMs = 3_600_000
const usedUp = { code: 'insufficient_quota' }

/** The fake models with a price for each output. */
const pricedModels = (usd: number) =>
  fakeProvider().models.map((model) => ({ ...model, price: { text: `${usd} USD`, per: 'image', usd } }))

function setUp(most: Limits | undefined, behave: FakeBehaviour = { costUsd: 0.4 }, priceUsd = 0.4) {
  const world = fakeWorld(
    { behave: [behave], models: pricedModels(priceUsd) },
    { plugins: most ? [limits(most)] : [], maxRunningJobsPerOwner: 5000 },
  )
  const createAt = async (service: GenerationService, owner = 'alice') =>
    (await service.create({ owner, model: 'fake-image', input: { prompt: 'a fox' } })).job.id
  return {
    ...world,
    createAt,
    create: (owner?: string) => createAt(world.service, owner),
    createOf: (input: object) => world.create(input),
    async spent(owner = 'alice') {
      const all = { owner, from: 0, to: world.clock.now() + 1, limit: 1000 }
      const entries = (await world.jobs.costs?.(all)) ?? []
      return entries.reduce((sum, { costUsd = 0 }) => sum + costUsd, 0)
    },
  }
}

test('an owner whose ended jobs have cost spendUsdPerDay gets insufficient_quota, and other owners do not', async () => {
  const { create, clock, provider } = setUp({ spendUsdPerDay: 0.8 })
  for (let i = 0; i < 2; i++) {
    await create()
    await clock.advance(100)
  }
  await expect(create()).rejects.toMatchObject({ ...usedUp, message: expect.stringContaining('0.80') })
  expect(provider.ledger).toHaveLength(2)
  await create('bob')
})

test('of 1,200 creates at once with a price of 3 US dollars, a limit of 5 accepts exactly one', async () => {
  const { create, clock, provider, spent } = setUp({ spendUsdPerDay: 5 }, { costUsd: 3, delayMs: 120_000 }, 3)
  const outcomes = await Promise.all(
    Array.from({ length: 1200 }, () =>
      create().then(
        () => 'accepted',
        ({ code }: { readonly code?: string }) => code,
      ),
    ),
  )
  expect(outcomes.filter((outcome) => outcome === 'accepted')).toHaveLength(1)
  expect(new Set(outcomes)).toEqual(new Set(['accepted', 'insufficient_quota']))
  await clock.advance(200_000)
  expect(provider.ledger).toHaveLength(1)
  expect(await spent()).toBe(3)
})

test('a spendUsdPerDay of 0 refuses every create', async () => {
  const { create } = setUp({ spendUsdPerDay: 0 })
  await expect(create()).rejects.toMatchObject(usedUp)
})

test('jobs that are under way count in spendUsdPerDay with their price, and with their cost once they have ended', async () => {
  const { create, clock, spent } = setUp({ spendUsdPerDay: 1 }, { costUsd: 0.3, delayMs: 5000 })
  for (let i = 0; i < 2; i++) await create()
  for (let i = 0; i < 5; i++)
    await expect(create()).rejects.toMatchObject({
      ...usedUp,
      message:
        'Your jobs may cost 1.00 US dollars in 24 hours, of which 0.80 are spent or reserved for jobs that have not ended. This job may cost 0.40; 0.20 are left.',
    })
  await clock.advance(60_000)
  expect(await spent()).toBeCloseTo(0.6)
  await create()
  await expect(create()).rejects.toMatchObject(usedUp)
})

test('a price counts for each output that a job asks for', async () => {
  const { createOf } = setUp({ spendUsdPerDay: 1.2 }, { delayMs: 5000 })
  await expect(createOf({ prompt: 'a fox', num_outputs: 4 })).rejects.toMatchObject(usedUp)
  await createOf({ prompt: 'a fox', num_outputs: 3 })
  await expect(createOf({ prompt: 'a fox' })).rejects.toMatchObject(usedUp)
})

test('a submit with an unknown outcome counts as paid, also when its job is deleted, until 24 hours have passed', async () => {
  const { create, service, clock } = setUp({ spendUsdPerDay: 0.8 }, { answer: 'reset' })
  const id = await create()
  await clock.advance(200_000)
  expect(await service.get(id, 'alice')).toMatchObject({ error: { code: 'submit_ambiguous' } })
  await service.delete(id, 'alice')
  await create()
  await expect(create()).rejects.toMatchObject(usedUp)
  await clock.advance(24 * hourMs + 900_000)
  await create()
})

test('a job that was canceled before its submit gives back what it has reserved', async () => {
  const { create, service, clock } = setUp({ spendUsdPerDay: 0.4 }, { submit: 'connection_refused' })
  const id = await create()
  await clock.advance(10)
  await expect(create()).rejects.toMatchObject(usedUp)
  await service.cancel(id, 'alice')
  await create()
})

test('a vendor that charges more than the price is reported once, and the limit counts what it has charged', async () => {
  const { create, clock, log } = setUp({ spendUsdPerDay: 2 }, { costUsd: 0.9 })
  for (let i = 0; i < 2; i++) {
    await create()
    await clock.advance(1000)
  }
  await expect(create()).rejects.toMatchObject({
    ...usedUp,
    message: expect.stringContaining('1.80 are spent'),
  })
  const lines = log.lines.filter((line) => line.includes('were reserved for it'))
  expect(lines).toEqual([expect.stringMatching(/has cost 0.9 US dollars, and 0.4 were reserved/)])
})

test('a model without a known price is refused under spendUsdPerDay, which the log says at the start', async () => {
  const models = fakeProvider().models.map((model, index) =>
    index === 0 ? model : { ...model, price: { text: 'calculated' } },
  )
  const request = { owner: 'alice', input: { prompt: 'a fox' } }
  const { service, log, provider } = fakeWorld({ models }, { plugins: [limits({ spendUsdPerDay: 5 })] })
  for (const model of ['fake-image', 'fake-video'])
    await expect(service.create({ ...request, model })).rejects.toMatchObject({
      ...usedUp,
      message: expect.stringContaining(`The model ${model} has no price that is known`),
    })
  expect(log.lines).toContainEqual(
    expect.stringMatching(/every job of them is refused: fake-image, fake-video\./),
  )
  expect(provider.ledger).toEqual([])
})

test('reserveUsd says what to reserve for a job of a model without a price', async () => {
  const plugins = [limits({ spendUsdPerDay: 5 }, { reserveUsd: { 'fake-image': 3 } })]
  const { create, log } = fakeWorld({ behave: [{ delayMs: 5000 }] }, { plugins })
  await create()
  await expect(create()).rejects.toMatchObject(usedUp)
  expect(log.lines).toContainEqual(expect.stringMatching(/is refused: fake-video\./))
  expect(() => fakeWorld({}, { plugins: [limits({}, { reserveUsd: { fox: 3 } })] }).service).toThrow(
    'limits: reserveUsd names "fox", which is no model.',
  )
  expect(() => limits({}, { reserveUsd: { 'fake-image': -1 } })).toThrow('limits: reserveUsd must be')
})

test('an input that the price does not cover is refused under spendUsdPerDay', async () => {
  const usdBy = { field: 'resolution', usd: { '720p': 0.1 } }
  const models = fakeProvider().models.map((model) => ({
    ...model,
    price: { text: 'by resolution', per: 'image', usdBy },
  }))
  const { create } = fakeWorld({ models }, { plugins: [limits({ spendUsdPerDay: 5 })] })
  await create({ prompt: 'a fox', resolution: '720p' })
  await expect(create({ prompt: 'a fox', resolution: '1080p' })).rejects.toMatchObject({
    ...usedUp,
    message: expect.stringContaining('with this input has no price'),
  })
})

test('a failed job counts in spendUsdPerDay with what it has cost', async () => {
  const failing = setUp({ spendUsdPerDay: 1 }, { failure: { code: 'provider_failed' }, costUsd: 1 })
  await failing.create()
  await failing.clock.advance(1000)
  await expect(failing.create()).rejects.toMatchObject(usedUp)
  const free = setUp({ spendUsdPerDay: 1 }, { failure: { code: 'provider_failed' } })
  await free.create()
  await free.clock.advance(1000)
  await free.create()
})

test('spending counts for 24 hours, and at most 10 minutes longer', async () => {
  const { create, clock } = setUp({ spendUsdPerDay: 0.4 })
  await create()
  await clock.advance(24 * hourMs - 1000)
  await expect(create()).rejects.toMatchObject(usedUp)
  await clock.advance(601_000)
  await create()
})

test('spending of other processes counts at once', async () => {
  const { serviceOver, createAt, clock } = setUp({ spendUsdPerDay: 0.8 })
  const [a, b] = [serviceOver(), serviceOver()]
  await createAt(b)
  await clock.advance(100)
  await createAt(a)
  await expect(createAt(b)).rejects.toMatchObject(usedUp)
  await expect(createAt(a)).rejects.toMatchObject(usedUp)
})

test('jobs of two processes that end during a read of the ledger all count in spendUsdPerDay', async () => {
  const { serviceOver, createAt, clock, jobs } = setUp({ spendUsdPerDay: 0.8 })
  let answer = () => {}
  const held = new Promise<void>((resolve) => (answer = resolve))
  const service = serviceOver({
    jobs: {
      dailyUsage: async (query) => {
        const rows = await jobs.dailyUsage!(query)
        await held
        return rows
      },
    },
  })
  const other = serviceOver({ plugins: [] })
  const waiting = createAt(service)
  await clock.advance(0)
  await createAt(other)
  await clock.advance(100)
  answer()
  await waiting
  await clock.advance(100)
  await clock.advance(2000)
  await expect(createAt(service)).rejects.toMatchObject(usedUp)
})

test('many creates read what was spent before once in 5 minutes', async () => {
  const { serviceOver, createAt, clock, jobs } = setUp({ spendUsdPerDay: 1000 })
  const dailyUsage = vi.fn(jobs.dailyUsage!)
  const service = serviceOver({ jobs: { dailyUsage } })
  for (let i = 0; i < 50; i++) await createAt(service)
  await clock.advance(1000)
  for (let i = 0; i < 50; i++) await createAt(service)
  expect(dailyUsage).toHaveBeenCalledTimes(1)
  await clock.advance(5 * 60_000)
  for (let i = 0; i < 50; i++) await createAt(service)
  expect(dailyUsage).toHaveBeenCalledTimes(2)
})

test('a process that starts counts what was spent before, by any number of jobs', async () => {
  const { create, clock, serviceOver, createAt } = setUp({ spendUsdPerDay: 25 }, { costUsd: 0.01 }, 0.01)
  for (let i = 0; i < 2500; i++) await create()
  await clock.advance(1000)
  await expect(createAt(serviceOver())).rejects.toMatchObject(usedUp)
})

test('without limits the ledger is never read', async () => {
  const { serviceOver, createAt, clock, jobs } = setUp(undefined)
  const dailyUsage = vi.fn(jobs.dailyUsage!)
  const service = serviceOver({ jobs: { dailyUsage } })
  await createAt(service)
  await clock.advance(10_000)
  await createAt(service)
  expect(dailyUsage).not.toHaveBeenCalled()
})

test('while the ledger can’t be read, creates with a spending limit are refused', async () => {
  const { serviceOver, createAt, provider } = setUp({ spendUsdPerDay: 1 })
  const service = serviceOver({ jobs: { dailyUsage: () => Promise.reject(new Error('away')) } })
  await expect(createAt(service)).rejects.toMatchObject({ code: 'store_unavailable' })
  expect(provider.ledger).toEqual([])
})

test('when the ledger hangs, a create with a spending limit fails within 2 seconds', async () => {
  const { serviceOver, createAt, clock } = setUp({ spendUsdPerDay: 1 })
  const service = serviceOver({ jobs: { dailyUsage: () => new Promise(() => {}) } })
  const refused = expect(createAt(service)).rejects.toMatchObject({ code: 'store_unavailable' })
  await clock.advance(2000)
  await refused
})

test('a function sets limits for each owner, and is called once in 10 seconds for each', async () => {
  const limits = vi.fn(async (owner: string) => (owner === 'alice' ? { spendUsdPerDay: 0.4 } : {}))
  const { create, clock } = setUp(limits)
  for (let i = 0; i < 3; i++) {
    await create('bob')
    await clock.advance(1000)
  }
  await create()
  await clock.advance(1000)
  await expect(create()).rejects.toMatchObject(usedUp)
  expect(limits.mock.calls.map(([owner]) => owner)).toEqual(['bob', 'alice'])
  await clock.advance(10_000)
  limits.mockResolvedValue({ spendUsdPerDay: 0.8 })
  await create()
})

test.each<[string, Limits, RegExp]>([
  ['throws', () => Promise.reject(new Error('no such plan')), /no such plan/],
  ['gives nothing', (() => undefined) as never, /limits\(owner\) must be an object, not null/],
  ['gives a misspelt limit', (() => ({ spendUsd: 1 })) as never, /did you mean spendUsdPerDay/],
  ['gives a wrong figure', () => ({ spendUsdPerDay: Number.NaN }), /spendUsdPerDay must be/],
  ['never answers', () => new Promise(() => {}), /has not answered within/],
])('a function for limits that %s makes creates fail', async (_what, most, why) => {
  const { create, clock, provider } = setUp(most)
  const refused = create().catch((error: Error) => error.message)
  await clock.advance(11_000)
  expect(await refused).toMatch(why)
  expect(provider.ledger).toEqual([])
})

test('spendUsdPerDay over a backend without a ledger throws a TypeError', () => {
  const backend = memoryBackend()
  const { dailyUsage: _ledger, ...jobs } = backend.jobs
  const options = { providers: [fakeProvider()], backend: { ...backend, jobs }, log: quietLog() }
  expect(() => createGenerationService({ ...options, plugins: [limits({ spendUsdPerDay: 1 })] })).toThrow(
    'limits: spendUsdPerDay needs a backend with a ledger',
  )
})
