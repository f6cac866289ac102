import { onTestFinished } from 'vitest'
import { until } from '../until.ts'
import { startRedis } from './redis-server.ts'
import { startNode } from './start-node.ts'

/** A node that has been woken once. */
export async function wokenNode(port: number, onFinished = onTestFinished) {
  const node = startNode({ port }, undefined, onFinished)
  node.wakeAt('first', 0)
  await until(() => node.woken.length === 1)
  node.woken.length = 0
  return node
}

/** A node that has been woken once by a Redis of its own, which goes with the test. */
export async function nodeOnOwnRedis(onFinished = onTestFinished) {
  const redis = await startRedis()
  onFinished(async () => void (await redis.stop()))
  return { redis, node: await wokenNode(redis.port, onFinished) }
}
