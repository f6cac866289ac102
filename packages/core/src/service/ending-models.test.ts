import { expect, test } from 'vitest'
import { createGenerationService, type Model, type ModelEnd, routeModel } from '@genmount/core'
import { fakeProvider, manualClock, quietLog } from '@genmount/testing'

const image = fakeProvider().models[0]!
const end: ModelEnd = { on: '2026-12-01', replacement: 'newer' }
const ending: Model = { ...image, id: 'older', end }
const request = { owner: 'alice', model: 'older', input: { prompt: 'a fox' } }

/** A service at this instant over a provider of these models. */
function at(instant: string, models: readonly Model[] = [ending, { ...image, id: 'newer' }]) {
  const clock = manualClock(Date.parse(instant))
  const log = quietLog()
  const provider = fakeProvider({ clock, models })
  const service = createGenerationService({ providers: [provider], clock, log })
  const warnings = () => log.warnings.filter((line) => line.startsWith('Model older'))
  return { service, clock, warnings, provider }
}

test.each([
  ['2026-10-01T23:59:59Z', []],
  [
    '2026-10-02T00:00:00Z',
    ['Model older ends at its vendor on 2026-12-01: its jobs are refused after that day. Use newer instead.'],
  ],
  [
    '2026-12-02T00:00:00Z',
    [
      'Model older ended at its vendor on 2026-12-01: its jobs are refused after that day. Use newer instead.',
    ],
  ],
])(
  'the log of a service that starts at %s says of a model which ends on 2026-12-01: %j',
  async (now, lines) => {
    const { service, clock, warnings } = at(now)
    service.start()
    await clock.advance(1000)
    expect(warnings()).toEqual(lines)
    await service.close()
  },
)

test('a service that keeps running warns once a day', async () => {
  const { service, clock, warnings } = at('2026-10-01T12:00:00Z')
  service.start()
  for (let hour = 0; hour < 60; hour++) await clock.advance(3_600_000)
  expect(warnings()).toHaveLength(2)
  await service.close()
})

test('jobs are accepted on the last day of a model, and refused after it with the model to use instead', async () => {
  const { service, clock, provider } = at('2026-12-01T23:59:00Z')
  const { job } = await service.create(request)
  await clock.advance(60_000)
  const refusal = {
    code: 'model_not_found',
    param: 'model',
    message: 'The model older ended on 2026-12-01. Use newer instead.',
  }
  await expect(service.create(request)).rejects.toMatchObject(refusal)
  await expect(service.estimate(request)).rejects.toMatchObject(refusal)
  expect(await service.get(job.id, 'alice')).toMatchObject({ phase: 'completed' })
  expect(provider.ledger).toHaveLength(1)
  await service.close()
})

test('a model with several routes ends with the last of them, and not while one of them stays', async () => {
  const clock = manualClock(Date.parse('2027-01-01'))
  const later: Model = { ...ending, end: { on: '2027-02-01' } }
  const routed = (id: string, ...models: readonly Model[]) => {
    const routes = models.map((model, index) => ({
      provider: fakeProvider({ name: `${id}${index}`, clock, models: [model] }),
      model: model.id,
    }))
    return routeModel({ id, routes })
  }
  const both = routed('both', later, ending)
  const one = routed('one', ending, { ...image, id: 'newer' })
  expect([both.model.end, one.model.end]).toEqual([{ on: '2027-02-01' }, undefined])
})

test.each(['1 December 2026', '2026-13-01', '2026-12-01T00:00:00Z', 5])(
  'a model that ends on %s makes createGenerationService throw a TypeError',
  (on) => {
    const models = [{ ...ending, end: { on } as ModelEnd }]
    const providers = [{ ...fakeProvider(), models }]
    expect(() => createGenerationService({ providers })).toThrow(/models\[0\]\.end\.on must be a day/)
  },
)
