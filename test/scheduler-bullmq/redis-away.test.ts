// @module-tag needs/redis
import { beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { bullmqScheduler } from '@genmount/scheduler-bullmq'
import { startTcpProxy } from '../start-tcp-proxy.ts'
import { until } from '../until.ts'
import { type RedisServer, startRedis } from './redis-server.ts'
import { startMuteRedis } from './start-mute-redis.ts'
import { endsAfterStop, startScript } from './started-script.ts'

let redis: RedisServer
beforeAll(async () => {
  redis = await startRedis()
  return () => redis.stop()
})

let made = 0
let told: string[]
let woken: string[]
beforeEach(() => {
  told = []
  woken = []
})

/** A node that has been woken once. */
async function liveNode(port = redis.port) {
  const log = { warn: (message: string) => void told.push(message), error: () => {} }
  const scheduler = bullmqScheduler({ connection: { port }, queue: `queue-${made++}`, log })
  scheduler.start((jobId) => woken.push(jobId))
  onTestFinished(() => scheduler.stop())
  scheduler.wakeAt('first', 0)
  await until(() => woken.length === 1)
  woken.length = 0
  return scheduler
}

const pass = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

test('when Redis is back after its end, wake-ups go on within 5 seconds, also those set meanwhile, and the log has one line', async () => {
  const scheduler = await liveNode()
  await redis.signal('SIGKILL')
  for (let index = 0; index < 10; index++) {
    scheduler.wakeAt(`away-${index}`, Date.now() + 200)
    await pass(300)
  }
  expect(told).toHaveLength(1)
  expect(told[0]).toContain('sweep')
  await redis.start()
  scheduler.wakeAt('back', Date.now() + 200)
  await until(() => woken.includes('back') && new Set(woken).size === 11, 5000)
})

test('when Redis was frozen, wake-ups go on within 5 seconds, also those set meanwhile', async () => {
  const scheduler = await liveNode()
  await redis.signal('SIGSTOP')
  scheduler.wakeAt('frozen', Date.now() + 200)
  await pass(2000)
  expect(woken).toEqual([])
  await redis.signal('SIGCONT')
  scheduler.wakeAt('back', Date.now() + 200)
  await until(() => woken.includes('back') && woken.includes('frozen'), 5000)
})

test('of any number of wake-ups set while Redis is away, the latest 10,000 and a batch are kept', async () => {
  const scheduler = await liveNode()
  await redis.signal('SIGKILL')
  for (let index = 0; index < 100_000; index++) {
    scheduler.wakeAt(`job-${index}`, 0)
    if (index % 1000 === 0) await pass(1)
  }
  await redis.start()
  await until(() => woken.includes('job-99999'))
  await pass(500)
  expect(woken.length).toBeGreaterThanOrEqual(10_000)
  expect(woken.length).toBeLessThanOrEqual(10_500)
})

test('while Redis is away, no wake-up is sent a second time', async () => {
  const scheduler = await liveNode()
  await redis.signal('SIGKILL')
  for (let index = 0; index < 500; index++) scheduler.wakeAt(`later-${index}`, Date.now() + 60_000)
  await pass(13_000)
  await redis.start()
  const probe = redis.client()
  await until(async () => (await probe.zcard(`bull:queue-${made - 1}:delayed`)) === 500)
  const [, scripts] = /cmdstat_evalsha:calls=(\d+)/.exec(await probe.info('commandstats')) ?? []
  // Two scripts set a wake-up.
  expect(Number(scripts)).toBeLessThan(1100)
})

test('when the connections carry nothing any more, new ones take their place within 15 seconds', async () => {
  const proxy = await startTcpProxy(redis.port)
  const scheduler = await liveNode(proxy.port)
  proxy.freezeOpenOnes()
  scheduler.wakeAt('half-open', Date.now() + 200)
  await until(() => woken.includes('half-open'), 15_000)
})

test('a queue that is flushed goes on with new wake-ups', async () => {
  const scheduler = await liveNode()
  for (let index = 0; index < 100; index++) scheduler.wakeAt(`lost-${index}`, Date.now() + 500)
  await pass(100)
  await redis.client().flushall()
  scheduler.wakeAt('new', Date.now() + 100)
  await until(() => woken.includes('new'))
})

// Timers inside BullMQ, which no other code can cancel, wait for 11 seconds at the most. A loaded machine takes longer.
const states: Record<
  string,
  { port?(): number | Promise<number>; break?(): Promise<void>; readonly endsWithinMs: number }
> = {
  'is well': { endsWithinMs: 8000 },
  'was never there': { port: () => 1, endsWithinMs: 8000 },
  'has answered nothing since it was ready': { port: () => startMuteRedis(), endsWithinMs: 6000 },
  'has answered only the connection that waits for jobs': {
    port: () => startMuteRedis(2),
    endsWithinMs: 6000,
  },
  'is frozen': { break: () => redis.signal('SIGSTOP'), endsWithinMs: 10_000 },
  'has died': { break: () => redis.signal('SIGKILL'), endsWithinMs: 20_000 },
}

test.each(Object.entries(states))(
  'a node stops within 3 seconds and its process ends by itself when Redis %s',
  async (_state, { port = () => redis.port, break: breakRedis, endsWithinMs }) => {
    const script = startScript('stop-and-end.ts', [String(await port())])
    await endsAfterStop(script, endsWithinMs, breakRedis)
    await redis.signal('SIGCONT')
  },
)
