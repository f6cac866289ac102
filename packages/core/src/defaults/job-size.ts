import type { Job } from '../contracts/job.ts'
import type { Json } from '../contracts/json.ts'

/** How much room a job takes, and its parts that may be large and stay the same from write to write. */
export interface JobSize {
  readonly bytes: number
  readonly input: Part
  readonly task: Part
}

interface Part {
  readonly value: Json | undefined
  readonly length: number
}

/** The characters of everything that is in every job and short: names of fields, ids, instants, numbers. */
const commonLength = 450

/**
 * About two bytes for each character of the job's JSON: bounds memory without knowing the engine. What is the same as
 * `before` is not measured again, because a task may be megabytes long.
 */
export function sizeOf(job: Job, before?: JobSize): JobSize {
  const { owner, model, idempotency, handle, outputs, error } = job
  const input = partOf(job.input, before?.input)
  const task = partOf(job.task === job.input ? undefined : job.task, before?.task)
  const rest = owner.length + model.length + lengthOf([idempotency?.key, handle, outputs, error] as Json)
  return { bytes: 2 * (commonLength + input.length + task.length + rest), input, task }
}

function partOf(value: Json | undefined, before: Part | undefined): Part {
  return before && before.value === value ? before : { value, length: lengthOf(value) }
}

function lengthOf(value: Json | undefined): number {
  return value === undefined ? 0 : JSON.stringify(value).length
}
