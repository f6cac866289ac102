import { setTimeout as pass } from 'node:timers/promises'
import { expect } from 'vitest'
import { until } from '../until.ts'
import type { RedisCluster } from './redis-cluster.ts'
import { startNode } from './start-node.ts'

/**
 * Checks that nodes go on when their Redis Cluster is back, also with the wake-ups set meanwhile, and that the log of each
 * node has one line.
 * @param awayCount how many wake-ups each node sets while the servers are away, one each 300 ms
 */
export async function outlastsCluster(
  cluster: RedisCluster,
  trouble: 'kill' | 'freeze',
  { nodeCount, awayCount }: { readonly nodeCount: number; readonly awayCount: number },
): Promise<void> {
  const nodes = Array.from({ length: nodeCount }, () => startNode(cluster.client()))
  const wakeAll = (jobId: string, at: number) => nodes.forEach(({ wakeAt }) => wakeAt(jobId, at))
  wakeAll('first', 0)
  await until(() => nodes.every(({ woken }) => woken.includes('first')))
  await cluster[trouble]()
  for (let index = 0; index < awayCount; index++) {
    wakeAll(`away-${index}`, Date.now() + 200)
    await pass(300)
  }
  await until(() => nodes.every(({ warnings }) => warnings.length > 0))
  for (const { warnings } of nodes) expect(warnings).toHaveLength(1)
  if (trouble === 'freeze') cluster.thaw()
  else await cluster.start()
  wakeAll('back', Date.now() + 200)
  await until(() => nodes.every(({ woken }) => new Set(woken).size === awayCount + 2))
}
