import type { Job } from '@genmount/client'
import type { CallToolResult } from '@modelcontextprotocol/server'

/** The name of the extension of tasks (SEP-2663). */
export const tasksExtension = 'io.modelcontextprotocol/tasks'

/**
 * How long a client should wait between two polls of a task, in milliseconds. It is the `retry-after` of the service.
 */
const pollIntervalMs = 3000

/** The task for a job. The task's id is the job's id, so that every process of the server can serve the task. */
export function jobTask(job: Job) {
  const isCanceled = job.status === 'failed' && /^canceled\b/.test(job.error ?? '')
  return {
    taskId: job.id,
    status: job.status === 'processing' ? 'working' : isCanceled ? 'cancelled' : 'completed',
    ...(job.error !== null && { statusMessage: job.error }),
    createdAt: job.created_at,
    lastUpdatedAt: job.completed_at ?? job.started_at ?? job.created_at,
    ttlMs: Date.parse(job.expires_at) - Date.parse(job.created_at),
    pollIntervalMs,
  }
}

/** The answer to a call that returns a task instead of a result. The SDK has no type for such an answer. */
export function createdTask(job: Job): CallToolResult {
  return { content: [], resultType: 'task', ...jobTask(job) }
}
