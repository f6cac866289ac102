import { GenmountError, type Job } from '@genmount/client'
import type { ToolCall, ToolContext } from './tool.ts'

/** A job at the end of a wait: completed, failed or still processing. */
export interface AwaitedJob {
  readonly job: Job
  /** Whether there was no place in which the call could wait, or another owner needed its place. */
  readonly isCutShort?: boolean
}

/**
 * Waits for a job, for at most as long as a tool call may take, and sends its progress to the client.
 * @throws GenmountError that has the job, unless the service does not know it any more
 */
export async function waitForJob(context: ToolContext, job: Job, call: ToolCall): Promise<AwaitedJob> {
  const { places, user } = context
  if (job.status !== 'processing') return { job }
  const patience = new AbortController()
  if (!places) return { job: await waitUntil(patience, context, job, call) }
  if (!places.makeRoom(user)) return { job, isCutShort: true }
  let isCutShort = false
  const leave = () => {
    isCutShort = places.giveBack(leave)
    patience.abort()
  }
  places.take(leave, user)
  try {
    const latest = await waitUntil(patience, context, job, call)
    return { job: latest, isCutShort }
  } finally {
    places.giveBack(leave)
  }
}

/** Waits until the job has finished, or `patience` has aborted. */
async function waitUntil(
  patience: AbortController,
  { client, settings }: ToolContext,
  job: Job,
  { signal, onProgress }: ToolCall,
): Promise<Job> {
  const timer = setTimeout(() => patience.abort(), settings.waitMs)
  let latest = job
  let told = 0
  onProgress?.(0, `The job ${job.id} was accepted.`)
  try {
    return await client.wait(job, {
      signal: AbortSignal.any([signal, patience.signal]),
      onJob: (news) => void (latest = news),
      onProgress({ progress = 0, queuePosition }) {
        // The protocol requires that each progress value is greater than the previous one.
        if (progress <= told) return
        told = progress
        const queue = queuePosition ? `, ${queuePosition} tasks come first` : ''
        onProgress?.(progress, `The job ${job.id} is processing${queue}.`)
      },
    })
  } catch (error) {
    if (error instanceof GenmountError && error.job?.status === 'failed') return error.job
    if (patience.signal.aborted && !signal.aborted) return latest
    if (!(error instanceof GenmountError) || error.status === 404) throw error
    // The agent must learn the id of the job, which is paid for, even if the service has not answered since its create.
    const { code, message, cause } = error
    throw new GenmountError(code, message, { ...error, cause, job: error.job ?? latest })
  } finally {
    clearTimeout(timer)
  }
}
