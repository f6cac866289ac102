// @module-tag needs/redis
import { setTimeout as pass } from 'node:timers/promises'
import { bullmqScheduler } from '@genmount/scheduler-bullmq'
import { schedulerSuite } from '@genmount/testing'
import { beforeAll, describe, test } from 'vitest'
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

describe('wakes through BullMQ on a Redis Cluster', () => {
  const suite = schedulerSuite(() => ({
    scheduler: bullmqScheduler({ connection: cluster.client(), queue: newName('queue') }),
    latenessMs: 60_000,
  }))
  for (const [name, run] of Object.entries(suite)) test(name, run)
})

// There are many nodes, because a wrong order of commands while the servers end would lose the wake-ups of only a few.
test.each(['kill', 'freeze'] as const)(
  'after the %s of all servers of a Redis Cluster, the wake-ups of 60 nodes go on, also those set meanwhile, and the log of each node has one line',
  (trouble) => outlastsCluster(cluster, trouble, { nodeCount: 60, awayCount: 20 }),
)

test('nodes that are still connecting when their Redis Cluster is frozen are woken when it goes on', async () => {
  const nodes: ReturnType<typeof startNode>[] = []
  for (let index = 0; index < 40; index++) {
    nodes.push(startNode(cluster.client()))
    await pass(5)
  }
  await cluster.freeze()
  for (const { wakeAt } of nodes) wakeAt('first', 0)
  // A node connects again when Redis has not answered for 5 seconds, so all of them have connected again by then.
  await pass(12_000)
  cluster.thaw()
  await until(() => nodes.every(({ woken }) => woken.includes('first')))
})

const states: Record<
  string,
  { readonly port?: number; readonly trouble?: 'freeze' | 'kill'; readonly endsWithinMs: number }
> = {
  'is well': { endsWithinMs: 3000 },
  'was never there': { port: 1, endsWithinMs: 3000 },
  'is frozen': { trouble: 'freeze', endsWithinMs: 20_000 },
  'has died': { trouble: 'kill', endsWithinMs: 20_000 },
}

test.each(Object.entries(states))(
  'a node stops within 3 seconds and its process ends by itself when its Redis Cluster %s',
  async (_state, { port = cluster.ports[0], trouble, endsWithinMs }) => {
    const spoil = () => trouble && cluster[trouble]()
    await endsInTime([String(port), 'cluster'], endsWithinMs, undefined, spoil)
    cluster.thaw()
  },
)
