import type { Job } from '@genmount/client'
import type { CallToolResult } from '@modelcontextprotocol/server'
import { jobResult } from '../results/job-result.ts'
import { createdTask } from '../tasks/job-task.ts'
import type { ToolContext } from '../tools/tool-context.ts'
import { waitForJob } from './wait-for-job.ts'
import type { Waiting } from './waiting.ts'

/** A call that waits for its job. It contains nothing else of the call, because thousands may wait. */
export interface PendingCall {
  /** The job, which is still processing. */
  readonly job: Job
  /** Whether the client accepts a task instead of a result, if the job is still processing after the wait. */
  readonly mayBeTask: boolean
}

export function pendingCall(job: Job, mayBeTask: boolean): PendingCall {
  // The answer does not show the input, which may have megabytes.
  return { job: { ...job, input: {}, metadata: {} }, mayBeTask }
}

export function isPending(outcome: CallToolResult | PendingCall): outcome is PendingCall {
  return 'mayBeTask' in outcome
}

/** Waits for the job of a call, and makes the call's result. @throws ToolError or GenmountError */
export async function resultOfPending(
  context: ToolContext,
  { job, mayBeTask }: PendingCall,
  waiting: Waiting,
): Promise<CallToolResult> {
  const awaited = await waitForJob(context, job, waiting)
  if (mayBeTask && awaited.job.status === 'processing') return createdTask(awaited.job)
  return jobResult(context, awaited, waiting.signal)
}
