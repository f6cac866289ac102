// @module-tag needs/redis
import { bullmqScheduler, redisSignals } from '@genmount/scheduler-bullmq'
import { schedulerSuite } from '@genmount/testing'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { lightCases } from '../conformance/print-suites.ts'
import { until } from '../until.ts'
import { endsInTime } from './ends-after-stop.ts'
import { outlastsCluster } from './outlasts-cluster.ts'
import { newName } from './redis-server.ts'
import { type RedisCluster, startRedisCluster } from './redis-cluster.ts'
import { startNode } from './start-node.ts'

let cluster: RedisCluster
beforeAll(async () => {
  cluster = await startRedisCluster()
  return () => cluster.stop()
})

const pass = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

describe('wakes through BullMQ on a Redis Cluster', () => {
  const suite = schedulerSuite(() => ({
    scheduler: bullmqScheduler({ connection: cluster.client(), queue: newName('queue') }),
    latenessMs: 60_000,
  }))
  for (const [name, run] of Object.entries(lightCases(suite))) test(name, run)
})

test('each wake-up on a Redis Cluster wakes one node of three, whichever server their clients ask first', async () => {
  const queue = newName('queue')
  const nodes = cluster.ports.map((port) => startNode(cluster.client(port), queue))
  const jobs = Array.from({ length: 300 }, (_, index) => `job-${index}`)
  for (const [index, jobId] of jobs.entries())
    nodes[index % 3]?.wakeAt(jobId, Date.now() + 1000 + (index % 500))
  const woken = () => nodes.flatMap((one) => one.woken)
  await until(() => woken().length >= jobs.length)
  await pass(300)
  expect(new Set(woken())).toEqual(new Set(jobs))
  for (const one of nodes) {
    expect(one.woken.length).toBeGreaterThan(10)
    expect(one.warnings).toEqual([])
  }
})

test('the BullMQ queues of three services are in different slots of a Redis Cluster', async () => {
  const slots = new Set<number>()
  for (const queue of ['films', 'pictures', 'previews']) {
    const { woken, wakeAt } = startNode(cluster.client(), queue)
    wakeAt('job-1', 0)
    wakeAt('job-2', Date.now() + 60_000)
    await until(() => woken.length === 1)
    slots.add(await cluster.client().cluster('KEYSLOT', `{${queue}}:${queue}:delayed`))
    expect(await cluster.client().zcard(`{${queue}}:${queue}:delayed`)).toBe(1)
  }
  expect(slots.size).toBe(3)
})

test("a scheduler that stops leaves the app's client of the Redis Cluster open", async () => {
  const client = cluster.client()
  const { woken, wakeAt, stop } = startNode(client)
  wakeAt('job-1', 0)
  await until(() => woken.length === 1)
  await stop()
  expect(await client.set('key', 'value')).toBe('OK')
})

test('signals wake nodes whose clients use another server of the Redis Cluster', async () => {
  const nodes = cluster.ports.map((port) => {
    const signals = redisSignals({ client: cluster.client(port) })
    onTestFinished(() => signals.close())
    return signals
  })
  for (const [index, one] of nodes.entries()) {
    let isInPlace = false
    let woken = 0
    one.subscribe('any', () => (isInPlace = true))
    await until(() => isInPlace)
    one.subscribe('job-1', () => woken++)
    nodes[(index + 1) % nodes.length]?.publish('job-1')
    await until(() => woken > 0)
    expect(woken).toBe(1)
  }
})

test('a node stops within 3 seconds and its process ends by itself when its Redis Cluster is well', () =>
  endsInTime([String(cluster.ports[0]), 'cluster'], 3000))

// This test ends the servers.
test('after all servers of a Redis Cluster were killed and restarted, wake-ups go on, also those set meanwhile', () =>
  outlastsCluster(cluster, 'kill', { nodeCount: 3, awayCount: 3 }))
