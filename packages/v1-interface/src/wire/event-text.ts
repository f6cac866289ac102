import { toBase64, type Job, type JobNews, type JobPreview } from '@genmount/core'
import { jobStatus } from './job-reply.ts'

/**
 * The events of a job as text (https://html.spec.whatwg.org/multipage/server-sent-events.html). The data of an event
 * never contains a line end, because neither JSON nor a data URI has any.
 */

/** The beginning of each stream. It sets how long a client waits before it reconnects, in milliseconds. */
export const retryText = 'retry: 3000\n\n'

/** Keeps the connection open while there are no events. */
export const heartbeatText = ': still here\n\n'

/**
 * The id of the state that clients see. It is derived from the stored job alone, so every process makes the same id.
 * Jobs with the same id look the same to clients, although the stored job changes with each step.
 */
export function stateId(job: Job): string {
  const { startedAt = 0, completedAt = 0 } = job
  return `${jobStatus(job)}-${startedAt}-${completedAt}`
}

/** The event `state`, or `done` for a job that has finished. @param text the job object as JSON */
export function stateText(job: Job, text: string): string {
  const name = jobStatus(job) === 'processing' ? 'state' : 'done'
  return `event: ${name}\nid: ${stateId(job)}\ndata: ${text}\n\n`
}

/**
 * The event `progress`, rounded to a thousandth. Empty when the provider reports neither progress nor a place in its
 * queue.
 */
export function progressText({ progress, queuePosition }: JobNews): string {
  if (progress === undefined && queuePosition === undefined) return ''
  const rounded = progress === undefined ? undefined : Math.round(progress * 1000) / 1000
  return `event: progress\ndata: ${JSON.stringify({ progress: rounded, queue_position: queuePosition })}\n\n`
}

/** The event `preview`, with the picture as a data URI. */
export function previewText({ contentType, bytes }: JobPreview): string {
  return `event: preview\ndata: data:${contentType};base64,${toBase64(bytes)}\n\n`
}
