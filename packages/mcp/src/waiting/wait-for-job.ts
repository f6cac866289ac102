import { GenmountError, type Job } from '@genmount/client'
import type { ToolContext } from '../tools/tool-context.ts'
import type { AwaitedJob, OnNews, Waiting } from './waiting.ts'
import { watchJob } from './watch-job.ts'

/**
 * Waits for a job, for at most as long as a tool call may take, and sends its progress to the client.
 * @throws GenmountError that has the job, unless the service does not know it any more
 */
export function waitForJob(context: ToolContext, job: Job, waiting: Waiting): Promise<AwaitedJob> {
  if (waiting.waitMs <= 0) return Promise.resolve({ job })
  const onNews = newsTeller(job, waiting)
  const awaited = context.watch
    ? watchJob(context, context.watch, job, waiting, onNews)
    : followInPlace(context, job, waiting, onNews)
  return awaited.catch((error: unknown) => {
    if (!(error instanceof GenmountError) || error.status === 404) throw error
    // The agent must learn the id of the job, which is paid for, even if the service has not answered since its create.
    const { code, message, cause } = error
    throw new GenmountError(code, message, { ...error, cause, job: error.job ?? job })
  })
}

function newsTeller({ id }: Job, { onProgress }: Waiting): OnNews | undefined {
  if (onProgress === undefined) return undefined
  onProgress(0, `The job ${id} was accepted.`)
  let lastProgress = 0
  return (progress = 0, queuePosition) => {
    // The protocol requires that each progress value is greater than the previous one.
    if (progress <= lastProgress) return
    lastProgress = progress
    const queue = queuePosition ? `, ${queuePosition} tasks come first` : ''
    onProgress(progress, `The job ${id} is ${Math.round(progress * 100)} % done${queue}.`)
  }
}

/** Follows the job's events through the client, in a place for a call that waits. */
async function followInPlace(
  context: ToolContext,
  job: Job,
  waiting: Waiting,
  onNews: OnNews | undefined,
): Promise<AwaitedJob> {
  const { places, user } = context
  const patience = new AbortController()
  if (!places) return { job: await follow(patience, context, job, waiting, onNews) }
  if (!places.makeRoom(user)) return { job, isCutShort: true }
  let isCutShort = false
  const leave = () => {
    isCutShort = places.giveBack(leave)
    patience.abort()
  }
  places.take(leave, user)
  try {
    const latest = await follow(patience, context, job, waiting, onNews)
    return { job: latest, isCutShort }
  } finally {
    places.giveBack(leave)
  }
}

/** Follows the job until it has finished, or `patience` has aborted. */
async function follow(
  patience: AbortController,
  { client }: ToolContext,
  job: Job,
  { signal, waitMs }: Waiting,
  onNews: OnNews | undefined,
): Promise<Job> {
  const timer = setTimeout(() => patience.abort(), waitMs)
  let latest = job
  try {
    return await client.wait(job, {
      signal: AbortSignal.any([signal, patience.signal]),
      onJob: (news) => void (latest = news),
      onProgress: ({ progress, queuePosition }) => onNews?.(progress, queuePosition),
    })
  } catch (error) {
    if (error instanceof GenmountError && error.job?.status === 'failed') return error.job
    if (patience.signal.aborted && !signal.aborted) return latest
    throw error
  } finally {
    clearTimeout(timer)
  }
}
