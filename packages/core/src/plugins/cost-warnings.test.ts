import { expect, test } from 'vitest'
import { fakeModels, fakeWorld } from '@genmount/testing'

const unknown = (line: string) => line.startsWith('The cost of jobs of model')
const models = fakeModels.map((model) => ({ ...model, isCostKnown: model.outputKind === 'image' }))

test('a model without a known price is logged once at the start', async () => {
  const { service, log, create, clock } = fakeWorld({ models })
  service.start()
  service.start()
  expect(log.warnings.filter(unknown)).toHaveLength(1)
  expect(log.fields.flatMap(({ model }) => model ?? [])).toEqual(['fake-video'])
  await create()
  await clock.advance(60_000)
  expect(log.warnings.filter(unknown)).toHaveLength(1)
  await service.close()
})

test('a provider that reports no cost is logged once for each model, when its first job completes', async () => {
  const { serviceOver, log, provider, clock } = fakeWorld()
  const service = serviceOver({
    provider: {
      async submit(task, call) {
        const report = await provider.submit(task, call)
        return report.state === 'succeeded' ? { ...report, costUsd: undefined } : report
      },
    },
  })
  const request = { owner: 'alice', model: 'fake-image', input: { prompt: 'a fox' } }
  expect(log.warnings.filter(unknown)).toEqual([])
  for (let index = 0; index < 3; index++) {
    const { job } = await service.create(request)
    await clock.advance(1000)
    const { costUsd, isCostKnown } = await service.get(job.id, 'alice')
    expect([costUsd, isCostKnown]).toEqual([0, undefined])
  }
  expect(log.warnings.filter(unknown)).toHaveLength(1)
  await service.close()
})

test('a price that leaves out some inputs is logged at the start, and when a job has such an input', async () => {
  const priced = fakeModels.map((model) => ({ ...model, isCostKnown: true, unpricedInputs: 'size 4k' }))
  const { serviceOver, log, provider, clock } = fakeWorld({ models: priced })
  const service = serviceOver({
    provider: {
      async submit(task, call) {
        const report = await provider.submit(task, call)
        return report.state === 'succeeded' ? { ...report, costUsd: undefined } : report
      },
    },
  })
  service.start()
  const gaps = log.warnings.filter((line) => line.includes('has no amount for some inputs (size 4k)'))
  expect(gaps).toHaveLength(priced.length)
  for (let index = 0; index < 2; index++) {
    await service.create({ owner: 'alice', model: 'fake-image', input: { prompt: 'a fox' } })
    await clock.advance(1000)
  }
  const ends = log.warnings.filter((line) => line.includes('the price of model fake-image gives no cost'))
  expect([ends.length, log.warnings.filter(unknown).length]).toEqual([1, 0])
  await service.close()
})

test.each([
  ['was refused before it was taken on', { failure: { code: 'provider_rejected' }, costUsd: 0 }, true],
  ['had no answer to its submit', { answer: 'reset' }, undefined],
  ['failed with a cost', { delayMs: 1, failure: { code: 'provider_failed' }, costUsd: 0.2 }, true],
] as const)('a job that %s knows whether its cost is known', async (_what, behaviour, isCostKnown) => {
  const { create, jobAfter } = fakeWorld({ behave: [behaviour] })
  const { id } = await create()
  expect((await jobAfter(10 * 60_000, id)).isCostKnown).toBe(isCostKnown)
})
