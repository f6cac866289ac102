import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { d1Service } from './d1-service.ts'

let service: Awaited<ReturnType<typeof d1Service>>

beforeAll(async () => {
  service = await d1Service(true)
})
afterAll(() => service?.worker.dispose())

test('with waitUntil, a job in D1 that no client asks for ends without a cron', async () => {
  const { id } = await service.create()
  await expect.poll(() => service.phaseOf(id), { timeout: 20_000, interval: 300 }).toBe('completed')
})

test('clients that wait for jobs in D1 are answered when these end, whichever request ends first', async () => {
  const jobs = await Promise.all(['1', '20', '20'].map(service.create))
  expect(jobs.slice(1).map(({ status }) => status)).toEqual(['completed', 'completed'])
})

test('an idle worker asks D1 nothing', async () => {
  const { status } = await service.create('20')
  expect(status).toBe('completed')
  const before = await service.batches()
  expect(before).toBeGreaterThan(0)
  await delay(3000)
  expect(await service.batches()).toBe(before)
})
