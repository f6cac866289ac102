import type { Job } from '../contracts/job.ts'
import type { Json } from '../contracts/json.ts'
import { lengthOf } from '../text/json-values.ts'

/**
 * How much memory a job takes. It includes the large parts of the job, which usually stay the same from write to write.
 */
export interface JobSize {
  readonly bytes: number
  readonly shownInput: Part
  readonly input: Part
}

interface Part {
  readonly value: Json | undefined
  readonly length: number
}

/**
 * The approximate number of characters of all short parts of a job together: names of fields, ids, instants, numbers.
 */
const commonLength = 450
/** What a job takes beside its own fields, in bytes: its places in the lists of the store. */
const placesBytes = 400

/**
 * Estimates the memory of a job, whatever the JavaScript engine uses: about two bytes for each character of its JSON, and
 * 400 for its places in the store.
 * Parts that are the same objects as in `before` are not measured again, because an input may be megabytes long.
 */
export function sizeOf(job: Job, before?: JobSize): JobSize {
  const { owner, model, metadata, webhook, idempotency, handle, outputs, error } = job
  const shownInput = partOf(job.shownInput, before?.shownInput)
  const input = partOf(job.input === job.shownInput ? undefined : job.input, before?.input)
  const rest =
    owner.length +
    model.length +
    lengthOf(metadata) +
    lengthOf(webhook as Json | undefined) +
    lengthOf(idempotency?.key) +
    lengthOf(handle) +
    lengthOf(outputs as Json) +
    lengthOf(error)
  return {
    bytes: placesBytes + 2 * (commonLength + shownInput.length + input.length + rest),
    shownInput,
    input,
  }
}

/**
 * About how many characters the JSON of a job has without its input as the provider gets it.
 * @param size the size of the job, if the caller has measured it
 */
export function lengthWithoutInput(job: Job, { bytes, input }: JobSize = sizeOf(job)): number {
  return (bytes - placesBytes) / 2 - input.length
}

function partOf(value: Json | undefined, before: Part | undefined): Part {
  return before && before.value === value ? before : { value, length: lengthOf(value) }
}
