// @module-tag needs/redis
import { setTimeout as pass } from 'node:timers/promises'
import { expect, type onTestFinished as OnTestFinished, test } from 'vitest'
import { redisSignals } from '@genmount/scheduler-bullmq'
import { exampleJob } from '@genmount/testing'
import { until } from '../until.ts'
import { redisOfTest } from './redis-server.ts'

/** A Redis of its own, and nodes that exchange signals through it. */
async function setUp(onTestFinished: typeof OnTestFinished) {
  const redis = await redisOfTest(onTestFinished)
  const warnings: string[] = []
  function node() {
    const client = redis.client(onTestFinished)
    const log = { warn: (message: string) => void warnings.push(message), error: () => {} }
    const signals = redisSignals({ client, log })
    onTestFinished(() => signals.close())
    return { ...signals, client }
  }
  return { redis, warnings, here: node(), there: node() }
}

type Node = Awaited<ReturnType<typeof setUp>>['here']

/** Watches a job, and counts the wakes from when the subscription is in place. */
async function watched({ subscribe }: Node, jobId = 'job-1') {
  const seen = { wakes: 0 }
  subscribe(jobId, () => void seen.wakes++)
  await until(() => seen.wakes > 0)
  seen.wakes = 0
  return seen
}

/** Waits for as many beats of the signals, 1.5 seconds each. They and these waits are timers of one process. */
async function beats(count: number): Promise<void> {
  for (let beat = 0; beat < count; beat++) await pass(1500)
}

/** Ten signals in a row wake a waiter much sooner than ten beats would. */
async function expectSignals(from: Node, seen: { wakes: number }): Promise<void> {
  const startedAt = performance.now()
  for (let signal = 0; signal < 10; signal++) {
    seen.wakes = 0
    from.publish('job-1')
    await until(() => seen.wakes > 0)
  }
  expect(performance.now() - startedAt).toBeLessThan(10 * 1500)
}

test.concurrent('a waiter on the node that publishes is woken at once with the job, also while Redis is frozen', async ({
  onTestFinished,
}) => {
  const { redis, here } = await setUp(onTestFinished)
  await watched(here)
  const job = exampleJob({ id: 'job-2' })
  const published: unknown[] = []
  here.subscribe('job-2', (each) => published.push(each))
  here.publish('job-2', job)
  expect(published).toEqual([job])
  await pass(200)
  expect(published).toEqual([job])
  await redis.freeze()
  here.publish('job-2', job)
  expect(published).toEqual([job, job])
  redis.thaw()
})

test.concurrent('while Redis is frozen, a waiter on another node is woken every 3 seconds, and by signals when Redis goes on', async ({
  onTestFinished,
}) => {
  const { redis, here, there } = await setUp(onTestFinished)
  const seen = await watched(here)
  await redis.freeze()
  there.publish('job-1')
  await beats(3)
  expect(seen.wakes).toBeGreaterThanOrEqual(1)
  await beats(2)
  expect(seen.wakes).toBeGreaterThanOrEqual(2)
  redis.thaw()
  await beats(1)
  await expectSignals(there, seen)
})

test.concurrent('after Redis was killed and restarted, a waiter is woken within 3 seconds, and by signals again afterwards', async ({
  onTestFinished,
}) => {
  const { redis, here, there, warnings } = await setUp(onTestFinished)
  const seen = await watched(here)
  await redis.kill()
  await pass(500)
  await redis.start()
  await beats(2)
  expect(seen.wakes).toBeGreaterThanOrEqual(1)
  await beats(1)
  await expectSignals(there, seen)
  expect(warnings.length).toBeLessThanOrEqual(2)
})

test.concurrent('of 100,000 signals published while Redis is away, the latest 10,000 and a batch are kept', async ({
  onTestFinished,
}) => {
  const { redis, here, there } = await setUp(onTestFinished)
  await watched(here)
  const listener = redis.client(onTestFinished)
  let heard = 0
  let last = ''
  await listener.subscribe('genmount')
  listener.on('message', (_channel, message: string) => {
    const [, ...jobIds] = JSON.parse(message) as string[]
    heard += jobIds.length
    last = jobIds.at(-1) ?? last
  })
  await redis.freeze()
  for (let index = 0; index < 100_000; index++) there.publish(`job-${index}`)
  await pass(300)
  redis.thaw()
  await until(() => last === 'job-99999')
  expect(heard).toBeGreaterThanOrEqual(10_000)
  expect(heard).toBeLessThanOrEqual(10_500)
})

test.concurrent('10,000 waiters of a node use one Redis subscription', async ({ onTestFinished }) => {
  const { here } = await setUp(onTestFinished)
  await watched(here)
  for (let index = 0; index < 10_000; index++) here.subscribe(`job-${index}`, () => {})
  const info = await here.client.info('commandstats')
  expect(Number(/cmdstat_subscribe:calls=(\d+)/.exec(info)?.[1])).toBeLessThan(30)
  expect(await here.client.pubsub('CHANNELS')).toEqual(['genmount'])
})

test.concurrent('messages that other programs publish in the Redis channel wake no waiter and do not stop signals', async ({
  onTestFinished,
}) => {
  const { here, there } = await setUp(onTestFinished)
  const seen = await watched(here)
  for (const message of ['', 'null', '{"a":1}', '[', '[1,[2],{}]', '"job-1"'])
    await there.client.publish('genmount', message)
  await pass(200)
  expect(seen.wakes).toBe(0)
  there.publish('job-1')
  await until(() => seen.wakes === 1)
})

test.concurrent("close publishes the last signals, ends the connection of the signals, and leaves the app's Redis client open", async ({
  onTestFinished,
}) => {
  const { here, there } = await setUp(onTestFinished)
  const seen = await watched(here)
  await watched(there)
  const clients = async () => Number(/connected_clients:(\d+)/.exec(await here.client.info('clients'))?.[1])
  const before = await clients()
  there.publish('job-1')
  await Promise.all([there.close(), there.close()])
  await until(() => seen.wakes === 1)
  await until(async () => (await clients()) === before - 1)
  expect(await there.client.ping()).toBe('PONG')
})

test.concurrent('a log that throws does not stop signals', async ({ onTestFinished }) => {
  const redis = await redisOfTest(onTestFinished)
  const sent: string[] = []
  let isAway = true
  const client = {
    async publish(_channel: string, message: string) {
      if (isAway) throw new Error('Redis is away.')
      sent.push(message)
    },
    duplicate: () => redis.client(onTestFinished),
  }
  const warn = () => {
    isAway = false
    throw new Error('The disk of the log is full.')
  }
  const signals = redisSignals({ client, log: { warn, error: () => {} } })
  signals.publish('job-1')
  await until(() => sent.length === 1)
  await signals.close()
})
