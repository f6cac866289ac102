import type { Job } from '@genmount/client'
import type { CallToolResult } from '@modelcontextprotocol/server'

/** The name of the extension of tasks (SEP-2663). */
export const tasksExtension = 'io.modelcontextprotocol/tasks'

/** How often a client is to ask about a task, in milliseconds: as often as the service wants to be asked about a job. */
const pollIntervalMs = 3000

/** The task that stands for a job. Its id is that of the job, so that every process of the server knows it. */
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

/** The answer to a call that gives a task in place of a result. The SDK has no type for it. */
export function createdTask(job: Job): CallToolResult {
  return { content: [], resultType: 'task', ...jobTask(job) }
}
