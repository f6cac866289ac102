import type { AnyModels, Client, Job } from '@genmount/client'
import type { Session } from '../program/session.ts'
import { showProgress } from '../terminal/show-progress.ts'

/**
 * How many times a request about a job is retried. The retries take about 15 seconds, enough for a server to restart.
 */
export const patientRetries = 5

/** Waits for a job and shows its progress. @returns the completed job. @throws GenmountError when it fails */
export async function followed(
  session: Session,
  client: Client<AnyModels>,
  job: Job,
  {
    quiet = false,
    typicalSeconds,
  }: { readonly quiet?: boolean | undefined; readonly typicalSeconds: number | null },
): Promise<Job> {
  const { signal, stderr, isJson = false } = session
  // A program that asks for JSON gets the error as JSON too, and no other output.
  const isQuiet = quiet || isJson
  const progress = isQuiet ? undefined : showProgress(stderr, job.model, typicalSeconds)
  progress?.onJob(job)
  try {
    const finished = await client.wait(job, {
      signal,
      onJob(now) {
        session.job = now
        progress?.onJob(now)
      },
      ...(progress && { onProgress: progress.onProgress }),
    })
    session.job = finished
    progress?.end()
    if (!isQuiet && stderr.isTerminal) {
      const seconds = (Number(finished.timings?.inference_ms ?? 0) / 1000).toFixed(1)
      const cost = finished.cost_usd > 0 ? `, $${finished.cost_usd}` : ''
      stderr.line(`${finished.id} ${finished.status} in ${seconds} s${cost}`)
    }
    return finished
  } finally {
    progress?.end()
  }
}
