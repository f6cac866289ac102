import type { Job } from '../contracts/job.ts'
import type { LogFields } from '../contracts/log.ts'
import { shortText } from '../text/short-text.ts'
import { taskIdOf } from './task-id.ts'

/** Names the job, its owner, model and provider, and the vendor's id of its task, or else the handle. */
export function whose(job: Job, provider?: string): string {
  const { job: id, owner, model, provider: name, task } = fieldsOf(job, provider)
  const at = name === undefined ? '' : `, provider ${name}`
  return `Job ${id} (owner ${owner}, model ${model}${at}${task === undefined ? '' : `, task ${task}`})`
}

/**
 * The same as fields, for programs that read the log.
 * @param provider the name of the provider. @default the provider that got the latest submit
 */
export function fieldsOf(job: Job, provider: string | undefined = job.provider): LogFields {
  const { id, owner, model, route, handle } = job
  const task = handle === undefined ? undefined : shortText(JSON.stringify(taskIdOf(job) ?? handle))
  return { job: id, owner: shortText(owner), model, provider, route, task }
}
