// @module-tag needs/redis
import { bullmqScheduler, redisSignals } from '@genmount/scheduler-bullmq'
import { schedulerSuite } from '@genmount/testing'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { until } from '../until.ts'
import { type RedisCluster, startRedisCluster } from './redis-cluster.ts'
import { endsAfterStop, startScript } from './started-script.ts'

let cluster: RedisCluster
beforeAll(async () => {
  cluster = await startRedisCluster()
  return () => cluster.stop()
})

let made = 0

/** A node whose scheduler uses the Redis Cluster, and the jobs that the node was woken for. */
function node(queue: string, port?: number) {
  const told: string[] = []
  const log = { warn: (message: string) => void told.push(message), error() {} }
  const scheduler = bullmqScheduler({ connection: cluster.client(port), queue, log })
  const woken: string[] = []
  scheduler.start((jobId) => woken.push(jobId))
  onTestFinished(() => scheduler.stop())
  return { ...scheduler, woken, told }
}

const pass = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

describe('wakes through BullMQ on a Redis Cluster', () => {
  const suite = schedulerSuite(() => ({
    scheduler: bullmqScheduler({ connection: cluster.client(), queue: `queue-${made++}` }),
    latenessMs: 60_000,
  }))
  for (const [name, run] of Object.entries(suite)) test(name, run)
})

test('on a Redis Cluster, each wake-up comes to one node of three, whichever server their clients ask first', async () => {
  const queue = `queue-${made++}`
  const nodes = cluster.ports.map((port) => node(queue, port))
  const jobs = Array.from({ length: 300 }, (_, index) => `job-${index}`)
  for (const [index, jobId] of jobs.entries())
    nodes[index % 3]?.wakeAt(jobId, Date.now() + 1000 + (index % 500))
  const woken = () => nodes.flatMap((one) => one.woken)
  await until(() => woken().length >= jobs.length)
  await pass(300)
  expect(new Set(woken())).toEqual(new Set(jobs))
  for (const one of nodes) {
    expect(one.woken.length).toBeGreaterThan(10)
    expect(one.told).toEqual([])
  }
})

test('the queues of two services are at different places of a Redis Cluster', async () => {
  const slots = new Set<number>()
  for (const queue of ['films', 'pictures', 'previews']) {
    const { woken, wakeAt } = node(queue)
    wakeAt('job-1', 0)
    wakeAt('job-2', Date.now() + 60_000)
    await until(() => woken.length === 1)
    slots.add(await cluster.client().cluster('KEYSLOT', `{${queue}}:${queue}:delayed`))
    expect(await cluster.client().zcard(`{${queue}}:${queue}:delayed`)).toBe(1)
  }
  expect(slots.size).toBe(3)
})

test('a scheduler that stops leaves the client of the app open', async () => {
  const client = cluster.client()
  const scheduler = bullmqScheduler({ connection: client, queue: `queue-${made++}` })
  const woken: string[] = []
  scheduler.start((jobId) => woken.push(jobId))
  scheduler.wakeAt('job-1', 0)
  await until(() => woken.length === 1)
  await scheduler.stop()
  expect(await client.set('key', 'value')).toBe('OK')
})

test('signals reach the nodes whose clients are at another server of a Redis Cluster', async () => {
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

// The tests below disturb the servers.
test.each(['SIGKILL', 'SIGSTOP'] as const)(
  'when a Redis Cluster is back after a %s of its servers, wake-ups go on, also those set meanwhile, and the log has one line',

  async (signal) => {
    // There are many nodes, because a wrong order of commands while the servers end would lose the wake-ups of only a few.
    const nodes = Array.from({ length: 60 }, () => node(`queue-${made++}`))
    const wakeAll = (jobId: string, at: number) => nodes.forEach(({ wakeAt }) => wakeAt(jobId, at))
    wakeAll('first', 0)
    await until(() => nodes.every(({ woken }) => woken.includes('first')))
    await cluster.signal(signal)
    for (let index = 0; index < 20; index++) {
      wakeAll(`away-${index}`, Date.now() + 200)
      await pass(300)
    }
    for (const { told } of nodes) expect(told).toHaveLength(1)
    if (signal === 'SIGSTOP') await cluster.signal('SIGCONT')
    else await cluster.start()
    wakeAll('back', Date.now() + 200)
    await until(() => nodes.every(({ woken }) => new Set(woken).size === 22))
  },
)

test('nodes that are still connecting when their Redis Cluster stands still are woken when it goes on', async () => {
  const nodes: ReturnType<typeof node>[] = []
  for (let index = 0; index < 40; index++) {
    nodes.push(node(`queue-${made++}`))
    await pass(5)
  }
  await cluster.signal('SIGSTOP')
  for (const { wakeAt } of nodes) wakeAt('first', 0)
  // A node connects again when Redis has not answered for 5 seconds, so all of them have connected again by then.
  await pass(12_000)
  await cluster.signal('SIGCONT')
  await until(() => nodes.every(({ woken }) => woken.includes('first')))
})

const states: Record<
  string,
  { readonly port?: number; break?(): Promise<void>; readonly endsWithinMs: number }
> = {
  'is well': { endsWithinMs: 3000 },
  'was never there': { port: 1, endsWithinMs: 3000 },
  'is frozen': { break: () => cluster.signal('SIGSTOP'), endsWithinMs: 20_000 },
  'has died': { break: () => cluster.signal('SIGKILL'), endsWithinMs: 20_000 },
}

test.each(Object.entries(states))(
  'a node stops within 3 seconds and its process ends by itself when its Redis Cluster %s',

  async (_state, { port = cluster.ports[0], break: breakServers, endsWithinMs }) => {
    const script = startScript('stop-and-end.ts', [String(port), 'cluster'])
    await endsAfterStop(script, endsWithinMs, breakServers)
    await cluster.signal('SIGCONT')
  },
)
