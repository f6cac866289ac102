import { expect, test } from 'vitest'
import { fakeWebhooks, fakeWorld } from '@genmount/testing'
import { ending } from '../pacing/ending.ts'
import { optionalParts } from './optional-parts.ts'
import { serviceDeliveries } from './service-deliveries.ts'

/** A job in the store that owes a delivery, and a deliverer whose code is loaded when the test says so. */
async function setUp() {
  const request = { webhook: { url: 'https://receiver.example/hook' } }
  const { create, clock, jobs, log, service } = fakeWorld(
    {},
    { webhooks: fakeWebhooks(() => new Promise(() => {})) },
  )
  await service.ready()
  const { id } = await create({}, request)
  await clock.advance(0)
  await service.close()
  const job = await jobs.get(id)
  if (job?.webhook?.dueAt === undefined) throw new Error('The job owes no delivery.')

  const gate = Promise.withResolvers<void>()
  const parts = optionalParts(log)
  const closing = ending()
  const webhooks = fakeWebhooks()
  const deliveries = serviceDeliveries(
    { ...parts, load: (option, make) => parts.load(option, (code) => gate.promise.then(() => make(code))) },
    { webhooks, jobs, clock, sureNow: clock.now, log, closing, givingUp: ending() },
  )
  return { job, closing, deliveries, loaded: gate.resolve, sent: webhooks.sent, jobs }
}

test('a webhook that is due before its code is loaded is sent afterwards, and close waits for it', async () => {
  const { job, deliveries, loaded, sent, jobs } = await setUp()
  deliveries.take(job)
  const settled = deliveries.settled()
  expect(sent).toEqual([])
  loaded()
  await settled
  expect(sent).toHaveLength(1)
  expect((await jobs.get(job.id))?.webhook?.dueAt).toBeUndefined()
})

test('a webhook whose code is not loaded before the service closes is left to the next process', async () => {
  const { job, closing, deliveries, loaded, sent, jobs } = await setUp()
  deliveries.take(job)
  closing.end()
  loaded()
  await deliveries.settled()
  expect(sent).toEqual([])
  expect((await jobs.get(job.id))?.webhook?.dueAt).toBe(job.webhook?.dueAt)
})
