import { expect, test } from 'vitest'
import { type Limits, limits, type LimitsOptions } from '@genmount/core/limits'
import { memoryBackend, shownPrice } from '@genmount/core'
import { type FakeBehaviour, fakeProvider, fakeWorld } from '@genmount/testing'

const hourMs = 3_600_000
const usedUp = { code: 'insufficient_quota' }

function setUp(
  most: Limits,
  behave: FakeBehaviour = { costUsd: 3, delayMs: 1000 },
  options: LimitsOptions = {},
) {
  const price = { text: '3 USD', per: 'image', usd: 3 }
  const models = fakeProvider().models.map((model) => ({ ...model, price }))
  const plugins = [limits(most, options)] as const
  const world = fakeWorld({ behave: [behave], models }, { plugins, maxRunningJobsPerOwner: 5000 })
  async function createWith(keyId?: string, owner = 'alice') {
    return world.service.create({ owner, keyId, model: 'fake-image', input: { prompt: 'a fox' } })
  }
  return {
    ...world,
    createWith,
    /** What becomes of so many creates at once, each kind once. */
    async storm(count: number, keyId?: string) {
      const creates = Array.from({ length: count }, () =>
        createWith(keyId).then(
          () => 'accepted',
          ({ code }: { readonly code: string }) => code,
        ),
      )
      const answers = await Promise.all(creates)
      return { accepted: answers.filter((answer) => answer === 'accepted').length, answers: new Set(answers) }
    },
  }
}

test.each<[string, Limits, string | undefined]>([
  ['day', { spendUsdPerDay: 5 }, undefined],
  ['month', { spendUsdPerMonth: 5 }, undefined],
  ['day of a key', { key: { spendUsdPerDay: 5 } }, 'k'],
  ['month of a key', { key: { spendUsdPerMonth: 5 } }, 'k'],
  [
    'month, beside larger budgets',
    { spendUsdPerDay: 50, spendUsdPerMonth: 5, key: { spendUsdPerDay: 9 } },
    'k',
  ],
])(
  'of 200 creates at once with a price of 3 US dollars, a budget of 5 for a %s accepts exactly one',
  async (_kind, most, keyId) => {
    const { storm, clock, provider } = setUp(most)
    expect(await storm(200, keyId)).toEqual({ accepted: 1, answers: new Set(['accepted', usedUp.code]) })
    await clock.advance(10_000)
    expect(provider.ledger).toHaveLength(1)
  },
)

test('of 200 creates at once with a price of 3 US dollars, a balance of 5 accepts exactly one', async () => {
  const { storm, service, clock, provider } = setUp({ balance: true })
  expect(await storm(10)).toEqual({ accepted: 0, answers: new Set([usedUp.code]) })
  await service.grant('alice', 5, { by: 'the shop', why: 'order 1' })
  await clock.advance(2000)
  expect(await storm(200)).toEqual({ accepted: 1, answers: new Set(['accepted', usedUp.code]) })
  await clock.advance(10_000)
  expect(provider.ledger).toHaveLength(1)
})

test('a balance only goes down: what was spent years ago counts, and only a grant adds to it', async () => {
  const { createWith, service, clock } = setUp({ balance: true })
  await service.grant('alice', 7, { by: 'the shop', why: 'order 1' })
  await createWith()
  await clock.advance(2000)
  clock.set(clock.now() + 3 * 365 * 24 * hourMs)
  await createWith()
  await clock.advance(10_000)
  await expect(createWith()).rejects.toMatchObject({
    ...usedUp,
    message:
      'Your jobs may cost what you were granted, of which all but what is left is spent or reserved for jobs that have not ended. This job may cost 3.00; 1.00 are left.',
    retryAfterSeconds: undefined,
  })
  await service.grant('alice', 2, { by: 'the shop', why: 'order 2' })
  await clock.advance(2000)
  expect((await createWith()).budgetLeftUsd).toBe(0)
})

test('grants that are made while creates are under way let exactly as many jobs pass as they pay for', async () => {
  const { createWith, serviceOver, service, clock, jobs } = setUp(
    { balance: true },
    { delayMs: 60_000, costUsd: 3 },
  )
  const processes = [service, serviceOver(), serviceOver()]
  let accepted = 0
  const creates: Promise<void>[] = []
  for (let round = 0; round < 20; round++) {
    for (let each = 0; each < 20; each++)
      creates.push(
        createWith().then(
          () => void accepted++,
          () => {},
        ),
      )
    const granting = processes[round % 3]!
    creates.push(
      granting.grant('alice', 1.5, { by: 'test', why: 'round', id: `round-${round}` }).then(() => {}),
    )
    if (round === 10)
      creates.push(service.grant('alice', -3, { by: 'test', why: 'a mistake' }).then(() => {}))
    await clock.advance(300)
  }
  await Promise.all(creates)
  await clock.advance(2000)
  // What is left is tried once more, until nothing fits.
  while (
    await createWith().then(
      () => true,
      () => false,
    )
  )
    accepted++
  expect(accepted).toBe(9)
  const [sums] = await jobs.spending!('alice', [{ from: 0, costsFrom: 0, hasGrants: true }])
  expect(sums).toEqual({ spentMicroUsd: 0, reservedMicroUsd: 27_000_000, grantedMicroUsd: 27_000_000 })
})

test('what one key spends leaves the budgets of other keys, of other owners and of jobs without a key alone', async () => {
  const { createWith, clock } = setUp({ key: { spendUsdPerMonth: 3 } })
  await createWith('a')
  await expect(createWith('a')).rejects.toMatchObject({
    ...usedUp,
    message: expect.stringContaining('The jobs of this key may cost 3.00 US dollars in a month'),
  })
  await createWith('b')
  await createWith('a', 'bob')
  for (let count = 0; count < 3; count++) await createWith()
  await clock.advance(10 * 60_000)
  await expect(createWith('a')).rejects.toMatchObject(usedUp)
  await expect(createWith('b')).rejects.toMatchObject(usedUp)
  await createWith('c')
})

test('the budget of a key counts its deleted jobs', async () => {
  const { createWith, service, clock } = setUp({ key: { spendUsdPerDay: 3 } })
  const { job } = await createWith('a')
  await clock.advance(10_000)
  await service.delete(job.id, 'alice')
  await expect(createWith('a')).rejects.toMatchObject(usedUp)
})

test('a function of owner and key gives each key its budgets beside those of the owner', async () => {
  const { createWith } = setUp((owner, keyId) => ({
    spendUsdPerDay: owner === 'alice' ? 9 : 3,
    key: { spendUsdPerDay: keyId === 'small' ? 3 : 6 },
  }))
  expect((await createWith('small')).budgetLeftUsd).toBe(0)
  await expect(createWith('small')).rejects.toMatchObject(usedUp)
  expect((await createWith('large')).budgetLeftUsd).toBe(3)
  expect((await createWith('large')).budgetLeftUsd).toBe(0)
  await expect(createWith('third')).rejects.toMatchObject({
    ...usedUp,
    message: expect.stringMatching(/^Your jobs may cost 9.00 US dollars in 24 hours/),
  })
})

test.each([
  ['UTC', '2026-03-31T23:59:59.000Z', '1 April 2026 (UTC)'],
  ['Europe/Berlin', '2026-03-31T21:59:59.000Z', '1 April 2026 (Europe/Berlin)'],
  ['Europe/Berlin', '2026-10-31T22:59:59.000Z', '1 November 2026 (Europe/Berlin)'],
  ['America/New_York', '2026-11-01T03:59:59.000Z', '1 November 2026 (America/New_York)'],
  ['Asia/Kathmandu', '2026-05-31T18:14:59.000Z', '1 June 2026 (Asia/Kathmandu)'],
])('a month in %s ends a second after %s, and the refusal says so', async (timeZone, lastSecond, day) => {
  const { createWith, clock } = setUp({ spendUsdPerMonth: 3 }, {}, { timeZone })
  clock.set(Date.parse(lastSecond) - 2 * hourMs)
  await createWith()
  await clock.advance(2 * hourMs)
  await expect(createWith()).rejects.toMatchObject({
    ...usedUp,
    message: expect.stringContaining(`A new month begins on ${day}.`),
    retryAfterSeconds: 1,
  })
  await clock.advance(1000)
  await createWith()
})

test('a job counts in the month in which it ends, and reserves in the month that it is', async () => {
  const { createWith, clock } = setUp({ spendUsdPerMonth: 5 }, { costUsd: 3, delayMs: 6 * 60_000 })
  clock.set(Date.parse('2026-03-31T23:57:00.000Z'))
  await createWith()
  await clock.advance(5 * 60_000)
  await expect(createWith()).rejects.toMatchObject(usedUp)
  await clock.advance(10 * 60_000)
  await expect(createWith()).rejects.toMatchObject(usedUp)
  clock.set(Date.parse('2026-05-01T00:00:00.000Z'))
  await createWith()
})

test.each([[Number.NaN], [1e308], [Number.POSITIVE_INFINITY], [0], [-0], [1e-9], ['5']])(
  'a grant of %s is refused in words, and changes nothing',
  async (usd) => {
    const { service, jobs } = setUp({ balance: true })
    await expect(service.grant('alice', usd as number, { by: 'test', why: 'test' })).rejects.toThrow(
      'grant: usd must be US dollars from -1000000 to 1000000, of at least a millionth and not 0',
    )
    expect(await jobs.grants!({ limit: 10 })).toEqual([])
  },
)

test('a grant names who has made it and why, and is made once for its id', async () => {
  const { service, clock } = setUp({ balance: true })
  const order = { by: 'the shop', why: 'order 7', id: 'order-7' }
  const grant = await service.grant('alice', 5, order)
  expect(grant).toEqual({ ...order, owner: 'alice', usd: 5, grantedAt: clock.now() })
  await clock.advance(1000)
  expect(await service.grant('alice', 5, order)).toEqual(grant)
  await expect(service.grant('alice', 6, order)).rejects.toThrow(
    'grant: id "order-7" is that of an earlier grant, of 5 US dollars to "alice".',
  )
  const correction = await service.grant('alice', -2.5, { by: 'me', why: 'order 7 was returned in part' })
  expect(await service.grants({ owner: 'alice' })).toEqual({ grants: [grant, correction] })
  const first = await service.grants({ limit: 1 })
  expect(first).toEqual({ grants: [grant], next: { id: grant.id, grantedAt: grant.grantedAt } })
  expect(await service.grants({ limit: 1, after: first.next })).toEqual({ grants: [correction] })
  await expect(service.grants({ after: { id: 'a', grantedAt: 1.5 } })).rejects.toThrow('after must be')
  await expect(service.grant('alice', 1, { by: '', why: 'x' })).rejects.toThrow(
    'grant: by must be a text of 1',
  )
  await expect(service.grant('', 1, { by: 'x', why: 'x' })).rejects.toThrow('grant: owner must be')
  await expect(service.grant('alice', 1, { by: 'x' } as never)).rejects.toThrow('grant: why')
})

test('a wrong time zone, and a balance over a backend that keeps no grants, throw a TypeError', () => {
  expect(() => limits({}, { timeZone: 'Mars/Olympus' })).toThrow(
    'limits: timeZone must be the name of a time zone, such as Europe/Berlin.',
  )
  const { grant: _no, ...jobs } = memoryBackend().jobs
  const backend = { ...memoryBackend(), jobs }
  expect(() => fakeWorld({}, { plugins: [limits({ balance: true })], backend }).service).toThrow(
    'limits: balance needs a backend that keeps grants',
  )
})

test('create returns as budgetLeftUsd the least that any budget of a new job has left, and nothing for a repeated request', async () => {
  const { service } = setUp({ spendUsdPerDay: 20, spendUsdPerMonth: 10, key: { spendUsdPerDay: 12 } })
  const request = {
    owner: 'alice',
    keyId: 'k',
    model: 'fake-image',
    input: { prompt: 'a fox' },
    idempotency: { key: 'once', scope: '/' },
  }
  expect((await service.create(request)).budgetLeftUsd).toBe(7)
  expect((await service.create(request)).budgetLeftUsd).toBeUndefined()
  const free = await service.create({ ...request, idempotency: undefined, keyId: undefined })
  expect(free.budgetLeftUsd).toBe(4)
})

test('a repeated request with its idempotency key gets its job when nothing is left, and reserves nothing more', async () => {
  const { service, createWith, jobs } = setUp({ spendUsdPerDay: 3 })
  const idempotency = { key: 'once', scope: '/' }
  const request = { owner: 'alice', model: 'fake-image', input: { prompt: 'a fox' }, idempotency }
  const { job } = await service.create(request)
  await expect(createWith()).rejects.toMatchObject(usedUp)
  expect(await service.create(request)).toMatchObject({ replayed: true, job: { id: job.id } })
  const [sums] = await jobs.spending!('alice', [{ from: 0, costsFrom: 0 }])
  expect(sums?.reservedMicroUsd).toBe(3_000_000)
})

test('a price that is a function of the input is reserved for exactly this input', async () => {
  const price = shownPrice(({ input, units }) => units * (input['resolution'] === '1080p' ? 2 : 0.5), 'image')
  const models = fakeProvider().models.map((model) => ({ ...model, price }))
  const { create, jobs } = fakeWorld(
    { models, behave: [{ delayMs: 5000 }] },
    { plugins: [limits({ spendUsdPerDay: 5 })] },
  )
  const large = { prompt: 'a fox', resolution: '1080p', num_outputs: 2 }
  expect(await create(large)).toMatchObject({ reservedUsd: 4 })
  await expect(create(large)).rejects.toMatchObject(usedUp)
  expect(await create({ prompt: 'a fox', num_outputs: 2 })).toMatchObject({ reservedUsd: 1 })
  const [sums] = await jobs.spending!('alice', [{ from: 0, costsFrom: 0 }])
  expect(sums?.reservedMicroUsd).toBe(5_000_000)
})

test('a calculated price that reads units which nobody knows before a job has run is refused', async () => {
  const price = shownPrice(({ units }) => units * 0.01, 'credit')
  const models = fakeProvider().models.map((model) => ({ ...model, price }))
  const { create } = fakeWorld({ models }, { plugins: [limits({ spendUsdPerDay: 5 })] })
  await expect(create()).rejects.toMatchObject({
    ...usedUp,
    message: expect.stringContaining('with this input has no price that is known'),
  })
})
