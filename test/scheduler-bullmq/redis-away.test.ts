// @module-tag needs/redis
import { setTimeout as pass } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { startTcpProxy } from '../start-tcp-proxy.ts'
import { until } from '../until.ts'
import { endsAfterStop } from './ends-after-stop.ts'
import { sharedRedis } from './redis-server.ts'
import { nodeOnOwnRedis, wokenNode } from './start-node.ts'

test.concurrent('wake-ups go on within 5 seconds after Redis was killed and restarted, also those set meanwhile, and the log has one line', async ({
  onTestFinished,
}) => {
  const { redis, node } = await nodeOnOwnRedis(onTestFinished)
  await redis.kill()
  for (let index = 0; index < 10; index++) {
    node.wakeAt(`away-${index}`, Date.now() + 200)
    await pass(300)
  }
  expect(node.warnings).toHaveLength(1)
  expect(node.warnings[0]).toContain('sweep')
  await redis.start()
  node.wakeAt('back', Date.now() + 200)
  await until(() => node.woken.includes('back') && new Set(node.woken).size === 11, 5000)
})

test.concurrent('wake-ups go on within 5 seconds after Redis was frozen, also those set meanwhile', async ({
  onTestFinished,
}) => {
  const { redis, node } = await nodeOnOwnRedis(onTestFinished)
  await redis.freeze()
  node.wakeAt('frozen', Date.now() + 200)
  await pass(2000)
  expect(node.woken).toEqual([])
  redis.thaw()
  node.wakeAt('back', Date.now() + 200)
  await until(() => node.woken.includes('back') && node.woken.includes('frozen'), 5000)
})

test.concurrent('a scheduler whose connections to Redis carry nothing any more opens new ones within 15 seconds', async ({
  onTestFinished,
}) => {
  const proxy = await startTcpProxy((await sharedRedis()).port, onTestFinished)
  const node = await wokenNode(proxy.port, onTestFinished)
  proxy.freezeOpenOnes()
  node.wakeAt('half-open', Date.now() + 200)
  await until(() => node.woken.includes('half-open'), 15_000)
})

test.concurrent('after Redis is flushed with wake-ups in it, new wake-ups still come', async ({
  onTestFinished,
}) => {
  const { redis, node } = await nodeOnOwnRedis(onTestFinished)
  for (let index = 0; index < 100; index++) node.wakeAt(`lost-${index}`, Date.now() + 500)
  await pass(100)
  await redis.client(onTestFinished).flushall()
  node.wakeAt('new', Date.now() + 100)
  await until(() => node.woken.includes('new'))
})

test.concurrent.for(['was never there', 'is frozen'])(
  'a node stops within 3 seconds and its process ends by itself when Redis %s',
  (state, { onTestFinished }) => endsAfterStop(state, onTestFinished),
)
