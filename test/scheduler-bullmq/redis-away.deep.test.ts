// @module-tag needs/redis
import { setTimeout as pass } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { until } from '../until.ts'
import { endsAfterStop, redisStates } from './ends-after-stop.ts'
import { nodeOnOwnRedis } from './start-node.ts'

test('of 100,000 wake-ups set while Redis is away, the scheduler keeps the latest 10,000 and a batch', async () => {
  const { redis, node } = await nodeOnOwnRedis()
  await redis.kill()
  for (let index = 0; index < 100_000; index++) {
    node.wakeAt(`job-${index}`, 0)
    if (index % 1000 === 0) await pass(1)
  }
  await redis.start()
  await until(() => node.woken.includes('job-99999'))
  await pass(500)
  expect(node.woken.length).toBeGreaterThanOrEqual(10_000)
  expect(node.woken.length).toBeLessThanOrEqual(10_500)
})

test.concurrent('while Redis is away, no wake-up is sent a second time', async ({ onTestFinished }) => {
  const { redis, node } = await nodeOnOwnRedis(onTestFinished)
  await redis.kill()
  for (let index = 0; index < 500; index++) node.wakeAt(`later-${index}`, Date.now() + 60_000)
  await pass(13_000)
  await redis.start()
  const probe = redis.client(onTestFinished)
  await until(async () => (await probe.zcard(`bull:${node.queue}:delayed`)) === 500)
  const [, scripts] = /cmdstat_evalsha:calls=(\d+)/.exec(await probe.info('commandstats')) ?? []
  // Two scripts set a wake-up.
  expect(Number(scripts)).toBeLessThan(1100)
})

test.concurrent.for(Object.keys(redisStates))(
  'a node stops within 3 seconds and its process ends by itself when Redis %s',
  (state, { onTestFinished }) => endsAfterStop(state, onTestFinished),
)
