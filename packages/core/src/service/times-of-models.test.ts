import { uploads } from '@genmount/core/uploads'
import { expect, test } from 'vitest'
import { fakeProvider, fakeWorld, manualClock, quietLog } from '@genmount/testing'
import type { Model, Provider } from '../contracts/provider.ts'
import { memoryFileStore } from '../defaults/memory-file-store.ts'
import { routeModel } from '../routing/route-model.ts'
import { createGenerationService } from './create-generation-service.ts'

const minuteMs = 60_000
const never = new Promise<never>(() => {})
const input: Model['input'] = {
  '~standard': { version: 1, vendor: 'test', validate: (value) => ({ value: value as object }) },
}
const quick: Model = { id: 'quick', outputKind: 'image', input }
const slow: Model = { ...quick, id: 'slow', deadlineMs: 120 * minuteMs, callTimeoutMs: 9 * minuteMs }
const endless: Partial<Provider> = {
  models: [quick, slow],
  submit: async () => ({ state: 'running', handle: 1 }),
  poll: async () => ({ state: 'running', handle: 1 }),
}

test('a model with a deadline of its own has that one, and the others have that of the service', async () => {
  const { service, clock } = fakeWorld({}, { provider: endless, deadlineMs: 10 * minuteMs })
  const created = async (model: string) => (await service.create({ owner: 'alice', model, input: {} })).job.id
  const [quickId, slowId] = [await created('quick'), await created('slow')]
  const states = async () =>
    (await Promise.all([quickId, slowId].map((id) => service.get(id, 'alice')))).map((job) => job.phase)
  await clock.advance(11 * minuteMs)
  expect(await states()).toEqual(['failed', 'running'])
  await clock.advance(108 * minuteMs)
  expect(await states()).toEqual(['failed', 'running'])
  await clock.advance(3 * minuteMs)
  expect(await states()).toEqual(['failed', 'failed'])
  await service.close()
})

test('a call for a model with a time limit of its own may take as long as that, and no other call of its provider', async () => {
  const cut: string[] = []
  const submit: Provider['submit'] = ({ model }, { signal }) => {
    signal.addEventListener('abort', () => cut.push(model))
    return never
  }
  const { service, clock } = fakeWorld({}, { provider: { ...endless, submit, callTimeoutMs: 2 * minuteMs } })
  for (const model of ['slow', 'quick']) await service.create({ owner: 'alice', model, input: {} })
  await clock.advance(3 * minuteMs)
  expect(cut).toEqual(['quick'])
  await clock.advance(5 * minuteMs)
  expect(cut).toEqual(['quick'])
  await clock.advance(2 * minuteMs)
  expect(cut).toEqual(['quick', 'slow'])
  await service.close()
})

test('a routed model has the deadline of its first route or its own, and each route the time limit of its model', async () => {
  const clock = manualClock()
  const cutAt: number[] = []
  const provider: Provider = {
    ...fakeProvider({ clock }),
    ...endless,
    submit: (_task, { signal }) => {
      signal.addEventListener('abort', () => cutAt.push(clock.uptime()))
      return never
    },
  }
  const routes = [{ provider, model: 'slow' }]
  expect(routeModel({ id: 'a', routes }).model.deadlineMs).toBe(120 * minuteMs)
  const routed = routeModel({ id: 'a', routes, deadlineMs: 60 * minuteMs })
  expect(routed.model.deadlineMs).toBe(60 * minuteMs)
  const service = createGenerationService({ providers: [routed], clock, log: quietLog() })
  const beganAt = clock.uptime()
  await service.create({ owner: 'alice', model: 'a', input: {} })
  await clock.advance(10 * minuteMs)
  expect(cutAt.map((at) => at - beganAt)).toEqual([expect.closeTo(9 * minuteMs, -3)])
  await service.close()
})

test.each([
  ['deadlineMs', 0],
  ['deadlineMs', '1'],
  ['callTimeoutMs', 1.5],
  ['callTimeoutMs', Infinity],
])('a model whose %s is %o is refused by its name when the service is created', (option, value) => {
  const models = [{ ...quick, [option]: value }] as never
  expect(() => fakeWorld({}, { provider: { ...endless, models } }).service).toThrow(
    new RegExp(`models\\[0\\]\\.${option} must be a whole number`),
  )
})

test('uploads must be kept for longer than the deadline of every model', () => {
  const options = { provider: endless, plugins: [uploads({ retentionHours: 2 })], files: memoryFileStore() }
  expect(() => fakeWorld({}, options).service).toThrow(
    'uploads: retentionHours must be longer than deadlineMs of the model slow, which is 2 hours.',
  )
})
