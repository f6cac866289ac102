import { bullmqScheduler, type BullmqSchedulerOptions } from '@genmount/scheduler-bullmq'
import { onTestFinished } from 'vitest'
import { newName } from './redis-server.ts'

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
