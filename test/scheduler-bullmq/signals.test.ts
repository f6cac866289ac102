// @module-tag needs/redis
import { beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { redisSignals } from '@genmount/scheduler-bullmq'
import { exampleJob } from '@genmount/testing'
import { until } from '../until.ts'
import { type RedisServer, startRedis } from './redis-server.ts'

let redis: RedisServer
beforeAll(async () => {
  redis = await startRedis()
  return () => redis.stop()
})

let told: string[]
beforeEach(() => {
  told = []
})

function node() {
  const client = redis.client()
  const log = { warn: (message: string) => void told.push(message), error: () => {} }
  const signals = redisSignals({ client, log })
  onTestFinished(() => signals.close())
  return { ...signals, client }
}

/** Watches a job, and counts the wakes from when the subscription is in place. */
async function watched({ subscribe }: ReturnType<typeof node>, jobId = 'job-1') {
  const seen = { wakes: 0 }
  subscribe(jobId, () => void seen.wakes++)
  await until(() => seen.wakes > 0)
  seen.wakes = 0
  return seen
}

const pass = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

test('who waits on the node that publishes is woken at once, with the job and once, whatever Redis does', async () => {
  const here = node()
  await watched(here)
  const job = exampleJob({ id: 'job-2' })
  const given: unknown[] = []
  here.subscribe('job-2', (published) => given.push(published))
  here.publish('job-2', job)
  expect(given).toEqual([job])
  await pass(200)
  expect(given).toEqual([job])
  await redis.signal('SIGSTOP')
  here.publish('job-2', job)
  expect(given).toEqual([job, job])
  await redis.signal('SIGCONT')
})

test('while Redis is frozen, who waits on another node is woken within 3 seconds, again and again, and then by signals', async () => {
  const [here, there] = [node(), node()]
  const seen = await watched(here)
  await redis.signal('SIGSTOP')
  there.publish('job-1')
  await until(() => seen.wakes >= 1, 4000)
  await until(() => seen.wakes >= 3, 4000)
  await redis.signal('SIGCONT')
  await pass(2000)
  seen.wakes = 0
  there.publish('job-1')
  await until(() => seen.wakes > 0, 500)
})

test('when Redis is back after its end, who waits is woken within 3 seconds, and then by signals again', async () => {
  const [here, there] = [node(), node()]
  const seen = await watched(here)
  await redis.signal('SIGKILL')
  await pass(500)
  await redis.start()
  await until(() => seen.wakes > 0, 4000)
  await pass(2000)
  seen.wakes = 0
  there.publish('job-1')
  await until(() => seen.wakes > 0, 500)
  expect(told.length).toBeLessThanOrEqual(2)
})

test('of any number of signals published while Redis is away, the latest 10,000 and a batch are kept', async () => {
  const [here, there] = [node(), node()]
  await watched(here)
  const listener = redis.client()
  let heard = 0
  let last = ''
  await listener.subscribe('genmount')
  listener.on('message', (_channel, message: string) => {
    const [, ...jobIds] = JSON.parse(message) as string[]
    heard += jobIds.length
    last = jobIds.at(-1) ?? last
  })
  await redis.signal('SIGSTOP')
  for (let index = 0; index < 100_000; index++) there.publish(`job-${index}`)
  await pass(300)
  await redis.signal('SIGCONT')
  await until(() => last === 'job-99999')
  expect(heard).toBeGreaterThanOrEqual(10_000)
  expect(heard).toBeLessThanOrEqual(10_500)
})

test('ten thousand who wait take one subscription', async () => {
  const here = node()
  await watched(here)
  for (let index = 0; index < 10_000; index++) here.subscribe(`job-${index}`, () => {})
  const info = await here.client.info('commandstats')
  expect(Number(/cmdstat_subscribe:calls=(\d+)/.exec(info)?.[1])).toBeLessThan(30)
  expect(await here.client.pubsub('CHANNELS')).toEqual(['genmount'])
})

test('what others write into the channel wakes nobody and breaks nothing', async () => {
  const [here, there] = [node(), node()]
  const seen = await watched(here)
  for (const message of ['', 'null', '{"a":1}', '[', '[1,[2],{}]', '"job-1"'])
    await there.client.publish('genmount', message)
  await pass(200)
  expect(seen.wakes).toBe(0)
  there.publish('job-1')
  await until(() => seen.wakes === 1)
})

test('a close publishes the last signals, ends the own connection and leaves the client of the app open', async () => {
  const [here, there] = [node(), node()]
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

test('a log that fails does not stop signals', async () => {
  const sent: string[] = []
  let isAway = true
  const client = {
    async publish(_channel: string, message: string) {
      if (isAway) throw new Error('Redis is away.')
      sent.push(message)
    },
    duplicate: () => redis.client(),
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
