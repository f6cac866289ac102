import { expect, test } from 'vitest'
import { usage } from '@genmount/core/usage'
import { fakeWorld } from '@genmount/testing'

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
  const sums = { jobs: 4, failed: 2, outputs: 2, costUsd: 0.7, unknownCosts: 1 }
  const range = { from, to: clock.now() }
  const expected = { ...sums, models: { 'fake-image': sums } }
  expect(await service.usage({ owner: 'alice', ...range })).toEqual(expected)
  expect(await service.usage(range)).toEqual(expected)
  const nothing = { jobs: 0, failed: 0, outputs: 0, costUsd: 0, unknownCosts: 0, models: {} }
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
  await expect(service.usage({ from: 0, to: 1, owner: '' })).rejects.toThrow('usage: owner must be')
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
