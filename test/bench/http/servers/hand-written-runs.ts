import { pollAfterMs } from './serve.ts'
import { createJob, jobs, type StoredJob } from './hand-written.ts'

/** How the hand-written server whose jobs run takes their steps, as somebody would write it without a library. */

/** The state of a task at the provider. */
type Report =
  | { readonly state: 'running'; readonly handle: string; readonly pollAfterMs: number }
  | { readonly state: 'succeeded'; readonly outputs: StoredJob['outputs']; readonly costUsd: number }

let open = 0
const outputs = [{ url: 'https://cdn.example.com/fox.mp4' }]

/** The provider of the bench: it takes every task on at once, and has finished each at its first poll. */
const provider = {
  async submit({ jobId }: { readonly jobId: string; readonly input: object }): Promise<Report> {
    open++
    return { state: 'running', handle: jobId, pollAfterMs }
  },
  async poll(_task: { readonly handle: string }): Promise<Report> {
    open--
    return { state: 'succeeded', outputs, costUsd: 0.35 }
  },
}

/** How many jobs the provider has accepted and not finished. */
export const openJobs = () => open

/**
 * Stores a job for a valid body and has it run, while the request is answered. The job is written three times until it
 * runs: when it is stored, before the provider is called, and with the provider's answer. @returns `undefined` for an
 * invalid body
 */
export function runNewJob(body: unknown): StoredJob | undefined {
  const stored = createJob(body)
  if (!stored) return undefined
  const job: StoredJob = { ...stored, startedAt: Date.now() }
  void step(job, () => {
    jobs.set(job.id, job)
    return provider.submit({ jobId: job.id, input: job.input })
  })
  return stored
}

async function step(job: StoredJob, call: () => Promise<Report>): Promise<void> {
  try {
    const report = await call()
    if (report.state === 'running') {
      const { handle } = report
      const running: StoredJob = { ...job, handle }
      jobs.set(job.id, running)
      setTimeout(() => void step(running, () => provider.poll({ handle })), report.pollAfterMs).unref()
      return
    }
    const { state: _, ...result } = report
    const completedAt = Date.now()
    const inferenceMs = completedAt - (job.startedAt ?? completedAt)
    jobs.set(job.id, { ...job, ...result, status: 'completed', completedAt, inferenceMs })
  } catch (error) {
    jobs.set(job.id, { ...job, status: 'failed', completedAt: Date.now(), error: String(error) })
  }
}
