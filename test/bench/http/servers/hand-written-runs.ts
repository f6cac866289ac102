import { pollAfterMs } from './announce.ts'
import { createJob, jobs, type StoredJob } from './hand-written.ts'

/** How the hand-written server whose jobs run takes their steps, as somebody would write it without a library. */

/** The state of a task at the provider. */
type Report =
  | { readonly state: 'running'; readonly handle: string; readonly pollAfterMs: number }
  | { readonly state: 'succeeded'; readonly outputs: StoredJob['outputs']; readonly costUsd: number }

let open = 0
const done: Report = {
  state: 'succeeded',
  outputs: [{ url: 'https://cdn.example.com/fox.mp4' }],
  costUsd: 0.35,
}

/** The provider of the bench: it takes every task on at once, and has finished each at its first poll. */
const provider = {
  async submit({ jobId }: { readonly jobId: string; readonly input: object }): Promise<Report> {
    open++
    return { state: 'running', handle: jobId, pollAfterMs }
  },
  async poll(_task: { readonly handle: string }): Promise<Report> {
    open--
    return done
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
  const job = createJob(body)
  if (job) void submit(job)
  return job
}

async function submit(stored: StoredJob): Promise<void> {
  const job: StoredJob = { ...stored, startedAt: Date.now() }
  jobs.set(job.id, job)
  try {
    await record(job, await provider.submit({ jobId: job.id, input: job.input }))
  } catch (error) {
    fail(job, error)
  }
}

async function record(job: StoredJob, report: Report): Promise<void> {
  if (report.state === 'running') {
    const running: StoredJob = { ...job, handle: report.handle }
    jobs.set(job.id, running)
    setTimeout(() => void poll(running, report.handle), report.pollAfterMs).unref()
    return
  }
  const { outputs, costUsd } = report
  const completedAt = Date.now()
  const inferenceMs = completedAt - (job.startedAt ?? completedAt)
  jobs.set(job.id, { ...job, status: 'completed', completedAt, outputs, costUsd, inferenceMs })
}

async function poll(job: StoredJob, handle: string): Promise<void> {
  try {
    await record(job, await provider.poll({ handle }))
  } catch (error) {
    fail(job, error)
  }
}

function fail(job: StoredJob, error: unknown): void {
  jobs.set(job.id, { ...job, status: 'failed', completedAt: Date.now(), error: String(error) })
}
