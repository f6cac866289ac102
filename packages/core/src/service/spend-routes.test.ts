import { expect, test } from 'vitest'
import { limits, type Limits, type LimitsOptions } from '@genmount/core/limits'
import { routeModel } from '@genmount/core'
import { type FakeBehaviour, fakeProvider, fakeWorld, manualClock, refused } from '@genmount/testing'

const usedUp = { code: 'insufficient_quota' }
const busy: FakeBehaviour = { submit: refused() }

/** A model with two routes: the first costs 1 US dollar and is busy, the second costs as much as is said. */
function setUp(most: Limits, secondUsd: number | undefined, options: LimitsOptions = {}, first = busy) {
  const clock = manualClock()
  const provider = (name: string, usd: number | undefined, behave: FakeBehaviour) => {
    const price = usd === undefined ? undefined : { text: `${usd} USD`, per: 'image', usd }
    const models = fakeProvider().models.map((model) => ({ ...model, price }))
    return fakeProvider({ name, clock, models, behave: [behave] })
  }
  const [cheap, dear] = [
    provider('cheap', 1, first),
    provider('dear', secondUsd, { costUsd: secondUsd ?? 5, delayMs: 20_000 }),
  ]
  const routes = [cheap, dear].map((one) => ({ provider: one, model: 'fake-image' }))
  const providers = [routeModel({ id: 'fox', routes })]
  const plugins = [limits(most, options)] as const
  const world = fakeWorld({ clock }, { clock, providers, plugins })
  const reserved = async () =>
    (await world.jobs.spending!('alice', [{ from: 0, costsFrom: 0 }]))[0]!.reservedMicroUsd / 1e6
  return { ...world, clock, cheap, dear, reserved, createFox: () => world.create({}, { model: 'fox' }) }
}

test('a job that goes to a second route reserves the price of that route before its submit', async () => {
  const { createFox, reserved, dear, clock } = setUp({ spendUsdPerDay: 5 }, 3)
  expect(await createFox()).toMatchObject({ reservedUsd: 1 })
  await clock.advance(6000)
  expect(dear.ledger).toHaveLength(1)
  expect(await reserved()).toBe(3)
  await clock.advance(60_000)
  expect(await reserved()).toBe(0)
})

test('a job whose second route does not fit into the budget ends as insufficient_quota, and is not submitted', async () => {
  const { createFox, reserved, dear, jobAfter } = setUp({ spendUsdPerDay: 2.5 }, 3)
  const { id } = await createFox()
  expect(await jobAfter(6000, id)).toMatchObject({
    phase: 'failed',
    costUsd: 0,
    isCostKnown: true,
    error: {
      code: 'insufficient_quota',
      message:
        'Your jobs may cost 2.50 US dollars in 24 hours, of which 0.00 are spent or reserved for jobs that have not ended. This job may cost 3.00; 2.50 are left.',
    },
  })
  expect(dear.ledger).toEqual([])
  expect(await reserved()).toBe(0)
})

test('of many jobs that go to a second route at once, only as many are submitted as the budget pays for', async () => {
  const { createFox, dear, clock, reserved, jobs } = setUp({ spendUsdPerDay: 16 }, 3)
  await Promise.all(Array.from({ length: 10 }, createFox))
  await clock.advance(8000)
  expect(await reserved()).toBeLessThanOrEqual(16)
  await clock.advance(120_000)
  expect(dear.ledger.length).toBeGreaterThan(0)
  const [sums] = await jobs.spending!('alice', [{ from: 0, costsFrom: 0 }])
  expect(sums?.spentMicroUsd).toBe(dear.ledger.length * 3e6)
  expect(sums?.spentMicroUsd).toBeLessThanOrEqual(16e6)
})

test('a second route that costs less reserves nothing, and its submit takes no further write', async () => {
  const { serviceOver, jobs, clock, dear } = setUp({ spendUsdPerDay: 5 }, 0.5)
  let writes = 0
  const replace: typeof jobs.replace = (...written) => {
    writes++
    return jobs.replace(...written)
  }
  const service = serviceOver({ jobs: { replace } })
  await service.create({ owner: 'alice', model: 'fox', input: { prompt: 'a fox' } })
  await clock.advance(6000)
  expect(dear.ledger).toHaveLength(1)
  // One for the refusal of the first route, one for the claim, and one for the answer of the second.
  expect(writes).toBe(4)
})

test('reserveUsd for a routed model is reserved at once, and stands for all of its routes', async () => {
  const { createFox, dear, clock, reserved } = setUp({ spendUsdPerDay: 5 }, 3, { reserveUsd: { fox: 2 } })
  await createFox()
  await clock.advance(6000)
  expect(dear.ledger).toHaveLength(1)
  expect(await reserved()).toBe(2)
})

test('a job whose second route has no known price ends as insufficient_quota', async () => {
  const { createFox, dear, jobAfter } = setUp({ spendUsdPerDay: 5 }, undefined)
  const { id } = await createFox()
  expect(await jobAfter(6000, id)).toMatchObject({
    error: { ...usedUp, message: expect.stringContaining('has no price that is known') },
  })
  expect(dear.ledger).toEqual([])
})

test('without a limit on spending, a job goes to a second route as before', async () => {
  const { createFox, dear, clock } = setUp({ runningJobs: 5 }, undefined)
  await createFox()
  await clock.advance(6000)
  expect(dear.ledger).toHaveLength(1)
})

function ambiguous(mostUsd: number) {
  const price = { text: '1 USD', per: 'image', usd: 1 }
  const models = fakeProvider().models.map((model) => ({ ...model, price }))
  const lostAnswer = { answer: 'reset', costUsd: 1 } as const
  const plugins = [limits({ spendUsdPerDay: mostUsd })] as const
  return fakeWorld(
    { models, behave: [lostAnswer, { costUsd: 1 }] },
    { plugins, onAmbiguousSubmit: 'resubmit' },
  )
}

test('a submit after an unknown outcome reserves the price a second time', async () => {
  const { create, jobs, clock, provider } = ambiguous(2)
  const { id } = await create()
  let most = 0
  for (let second = 0; second < 120 && provider.ledger.length < 2; second++) {
    await clock.advance(6000)
    most = Math.max(most, (await jobs.get(id))?.reservedUsd ?? 0)
  }
  expect(provider.ledger).toHaveLength(2)
  expect(most).toBe(2)
})

test('a submit after an unknown outcome that does not fit into the budget is not made, and the job says why', async () => {
  const { create, provider, jobAfter, jobs } = ambiguous(1.5)
  const { id } = await create()
  expect(await jobAfter(200_000, id)).toMatchObject({
    error: {
      code: 'submit_ambiguous',
      message: expect.stringContaining('This job may cost 2.00; 1.50 are left.'),
    },
  })
  expect(provider.ledger).toHaveLength(1)
  const [sums] = await jobs.spending!('alice', [{ from: 0, costsFrom: 0 }])
  expect(sums?.reservedMicroUsd).toBe(1_000_000)
})
