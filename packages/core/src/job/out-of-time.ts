import type { Job, Setback } from '../contracts/job.ts'
import type { JobEvent } from './job-event.ts'

/** Each reason in words for the owner, without the vendor's answer about the service's account. */
const inWords: Record<Setback['why'], (provider: string) => string> = {
  busy: (provider) => `${provider} was busy`,
  unreached: (provider) => `${provider} could not be reached`,
  no_answer: (provider) => `${provider} gave no usable answer`,
  account: (provider) => `${provider} did not accept this service's account or did not have the model`,
  unknown_task: (provider) => `${provider} did not know the task`,
  no_output: (provider) => `${provider} reported no output`,
  files: () => 'the file store could not be reached',
  input: () => 'the job whose output it needs had not finished',
}

/**
 * The failure of a job that has not finished by its deadline. Its message says why and when the last try failed.
 * @param latest the outcome of a try that is not written to the job yet
 */
export function outOfTime(job: Job, latest: Setback | undefined = job.setback): JobEvent {
  if (job.phase === 'running' && job.cancelAskedAt !== undefined) return canceled(job)
  const code = job.phase === 'submitting' ? 'submit_ambiguous' : 'deadline_exceeded'
  const message = `The job has not finished within its time${because(job, latest)}.`
  return { type: 'failed', code, message, costUsd: job.phase === 'accepted' ? 0 : undefined }
}

/** The failure of a canceled job whose provider has not reported the outcome of the task. */
export function canceled({ provider = 'the provider' }: Job, costUsd?: number): JobEvent {
  const message = `The job was canceled; ${provider} has not confirmed that, and may charge for it.`
  return { type: 'failed', code: 'canceled', message, costUsd }
}

function because({ phase, provider = 'the provider' }: Job, latest: Setback | undefined): string {
  if (latest) return `: ${inWords[latest.why](provider)}; last tried ${timeOfDay(latest.at)}`
  if (phase === 'running') return `: ${provider} was still working on it`
  return phase === 'accepted' ? ': it was still waiting for its turn' : ''
}

/** The time of day in UTC, such as `12:03 UTC`. */
function timeOfDay(at: number): string {
  const minutes = Math.floor(at / 60_000)
  const [hour, minute] = [Math.floor(minutes / 60) % 24, minutes % 60].map((part) =>
    `${part}`.padStart(2, '0'),
  )
  return `${hour}:${minute} UTC`
}
