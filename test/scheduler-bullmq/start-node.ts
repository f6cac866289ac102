import { bullmqScheduler, type BullmqSchedulerOptions } from '@genmount/scheduler-bullmq'
import { onTestFinished } from 'vitest'
import { until } from '../until.ts'
import { newName, redisOfTest } from './redis-server.ts'

/**
 * Starts the scheduler of a node, which stops with the test.
 * @returns the scheduler, the jobs for which the node was woken, and the warnings in its log
 */
export function startNode(
  connection: BullmqSchedulerOptions['connection'],
  queue = newName('queue'),
  onFinished = onTestFinished,
) {
  const woken: string[] = []
  const warnings: string[] = []
  const log = { warn: (message: string) => void warnings.push(message), error() {} }
  const scheduler = bullmqScheduler({ connection, queue, log })
  scheduler.start((jobId) => woken.push(jobId))
  onFinished(() => scheduler.stop())
  return { ...scheduler, queue, woken, warnings }
}

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
  const redis = await redisOfTest(onFinished)
  return { redis, node: await wokenNode(redis.port, onFinished) }
}
