import { isFinished, type Job } from '@genmount/core'
import { sizeIn } from '../input/size.ts'
import { secondsIn } from '../input/video-inputs.ts'
import { seconds } from './images-answer.ts'
import { failureOf } from './openai-error.ts'

/** The key of a job's metadata that says of which film it is a change. */
export const sourceKey = 'remixed_from_video_id'

/** A film of OpenAI's API. The API is that of Sora, which many programs still speak. */
export function videoObject(job: Job, progress = 0) {
  const { id, model, phase, createdAt, completedAt, expiresAt, shownInput, metadata } = job
  const { prompt } = shownInput
  const { error } = phase === 'failed' ? failureOf(job) : {}
  return {
    id,
    object: 'video',
    model,
    status: statusOf(job),
    progress: phase === 'completed' ? 100 : Math.min(99, Math.floor(progress * 100)),
    created_at: seconds(createdAt),
    completed_at: completedAt === undefined ? null : seconds(completedAt),
    expires_at: seconds(expiresAt),
    prompt: typeof prompt === 'string' ? prompt : null,
    seconds: secondsIn(shownInput),
    size: sizeIn(shownInput),
    remixed_from_video_id: metadata?.[sourceKey] ?? null,
    // OpenAI's API has no cost. Routers of films say it so, in US dollars.
    ...(isFinished(job) && job.isCostKnown && { usage: { cost: job.costUsd } }),
    error: error ? { code: error.code, message: error.message } : null,
  }
}

function statusOf({ phase }: Job): 'queued' | 'in_progress' | 'completed' | 'failed' {
  if (phase === 'completed' || phase === 'failed') return phase
  return phase === 'running' || phase === 'collecting' ? 'in_progress' : 'queued'
}
