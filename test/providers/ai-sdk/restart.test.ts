import { expect, test } from 'vitest'
import { blocking, durable } from './vendors/vendors.ts'
import { hasEnded, world } from './world.ts'

const input = { prompt: 'a fox in the snow' }

test.each(durable)('%s: another process goes on with a task that was started', async (model) => {
  const { vendor, start, until, jobs } = await world(model)
  vendor.pendingPolls = 2
  const first = start()
  const { job } = await first.service.create({ owner: 'ada', model, input })
  await until(job.id, ({ phase }) => phase === 'running')
  first.die()
  expect(JSON.parse(JSON.stringify((await jobs.get(job.id))?.handle))).toHaveProperty('operation')

  start()
  const ended = await until(job.id, hasEnded)
  expect([ended.phase, ended.outputs.length, vendor.ledger.length]).toEqual(['completed', 1, 1])
})

test.each(blocking)('%s: a process that dies while it waits leads to no second task', async (model) => {
  const { vendor, start, until } = await world(model)
  vendor.faults.push({ step: 'submit', answer: 'silence', taken: true, times: 1 })
  const first = start()
  const { job } = await first.service.create({ owner: 'ada', model, input })
  await until(job.id, () => vendor.ledger.length === 1)
  first.die()

  start()
  const ended = await until(job.id, hasEnded)
  expect([ended.error?.code, vendor.ledger.length]).toEqual(['submit_ambiguous', 1])
})
