import { expect, test } from 'vitest'
import { type ServiceUsage, usage } from '@genmount/core/usage'
import { fakeProvider, fakeWorld } from '@genmount/testing'

test('usage adds up the jobs, outputs and dollars of an owner by model, also of jobs that are long deleted', async () => {
  const { service, clock, create } = fakeWorld(
    {
      behave: [
        { costUsd: 0.1 },
        { costUsd: 0.2 },
        { failure: { code: 'provider_failed' }, costUsd: 0.4 },
        { answer: 'reset' },
      ],
    },
    { plugins: [usage()], retentionDays: 1 },
  )
  const from = clock.now()
  for (let index = 0; index < 4; index++) {
    await create()
    await clock.advance(1000)
  }
  await clock.advance(25 * 3_600_000)
  const sums = { jobs: 4, failed: 2, outputs: 2, seconds: 0, costUsd: 0.7, unknownCosts: 1, reservedUsd: 0 }
  const range = { from, to: clock.now() }
  const expected = { ...sums, groups: [{ model: 'fake-image', ...sums }] }
  expect(await service.usage({ owner: 'alice', ...range })).toEqual(expected)
  expect(await service.usage(range)).toEqual(expected)
  const nothing = {
    jobs: 0,
    failed: 0,
    outputs: 0,
    seconds: 0,
    costUsd: 0,
    unknownCosts: 0,
    reservedUsd: 0,
    groups: [],
  }
  expect(await service.usage({ owner: 'bob', ...range })).toEqual(nothing)
  await service.close()
})

test('usage counts each job of a long month once', async () => {
  const { service, clock, create } = fakeWorld({ behave: [{ costUsd: 0.001 }] }, { plugins: [usage()] })
  for (let index = 0; index < 1001; index++) {
    await create()
    await clock.advance(100)
  }
  await clock.advance(10_000)
  const { jobs, costUsd } = await service.usage({ from: 0, to: clock.now() })
  expect([jobs, costUsd]).toEqual([1001, 1.001])
  await service.close()
})

test('a wrong request for usage names the field', async () => {
  const { service } = fakeWorld({}, { plugins: [usage()] })
  await expect(service.usage({ from: Number.NaN, to: 1 })).rejects.toThrow('usage: from must be')
  for (const read of [service.usage, service.costs])
    await expect(read({ from: 2, to: 1 })).rejects.toThrow('from must not be later than to')
  expect((await service.usage({ from: 1, to: 1 })).jobs).toBe(0)
  const range = { from: 0, to: 1 }
  await expect(service.usage({ ...range, owner: '' })).rejects.toThrow('usage: owner must be')
  await expect(service.usage({ ...range, groupBy: ['key'] as never })).rejects.toThrow(
    'usage: groupBy[0] must be',
  )
  for (const after of ['k1' as never, { day: 1 }, { day: Number.NaN }])
    await expect(service.usage({ ...range, after })).rejects.toThrow('usage: after must be')
  await expect(service.usage({ ...range, limit: 0 })).rejects.toThrow('usage: limit must be')
  await service.close()
})

test('a Date in place of an instant is refused with the accepted type', async () => {
  const { service } = fakeWorld({}, { plugins: [usage()] })
  const from = new Date(0) as never
  const message =
    'from must be an instant in whole milliseconds since 1970, such as Date.now(), not an object.'
  await expect(service.usage({ from, to: 1 })).rejects.toThrow(`usage: ${message}`)
  await expect(service.costs({ from, to: 1 })).rejects.toThrow(`costs: ${message}`)
  await service.close()
})

test('usage over all owners comes in groups of owner, day, model and key, page by page', async () => {
  const { service, clock, create } = fakeWorld({ behave: [{ costUsd: 0.5 }] }, { plugins: [usage()] })
  const from = clock.now()
  for (const owner of ['alice', 'bob']) {
    for (const keyId of ['k1', 'k2']) await create({ prompt: 'a fox' }, { owner, keyId })
    await create({ prompt: 'a fox', duration: 4 }, { owner, model: 'fake-video' })
  }
  await clock.advance(60_000)
  const request = { from, to: clock.now(), groupBy: ['keyId', 'owner'], limit: 2 } as const
  const read: unknown[] = []
  let after
  do {
    const { jobs, groups, next }: ServiceUsage = await service.usage({ ...request, after })
    expect(jobs).toBe(6)
    read.push(...groups.map((group) => [group.owner, group.keyId, group.costUsd]))
    after = next
  } while (after)
  expect(read).toEqual([
    ['alice', undefined, 0.5],
    ['alice', 'k1', 0.5],
    ['alice', 'k2', 0.5],
    ['bob', undefined, 0.5],
    ['bob', 'k1', 0.5],
    ['bob', 'k2', 0.5],
  ])
  await service.close()
})

test('usage is refused as not_supported with a job store that does not add up, and costs are still read', async () => {
  const { service } = fakeWorld({}, { plugins: [usage()], jobs: { dailyUsage: undefined } as never })
  await expect(service.usage({ from: 0, to: 1 })).rejects.toMatchObject({ code: 'not_supported' })
  expect(await service.costs({ from: 0, to: 1 })).toEqual({ entries: [] })
  await service.close()
})

test('completed jobs count the seconds that were ordered from a model with a price by the second', async () => {
  const price = { text: '0.1 USD per second', per: 'second', usd: 0.1 }
  const models = fakeProvider().models.map((model) => ({ ...model, price }))
  const { service, clock, create } = fakeWorld(
    { models, behave: [{ costUsd: 0.5 }, { failure: { code: 'provider_failed' }, costUsd: 0 }] },
    { plugins: [usage()] },
  )
  await create({ prompt: 'a fox', duration: 4.5, num_outputs: 2 }, { model: 'fake-video' })
  await create({ prompt: 'a fox', duration: 4.5 }, { model: 'fake-video' })
  await clock.advance(60_000)
  expect(await service.usage({ from: 0, to: clock.now() })).toMatchObject({ jobs: 2, seconds: 9 })
  await service.close()
})
