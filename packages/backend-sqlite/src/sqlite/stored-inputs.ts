import {
  fromStoredJob,
  isInputKept,
  isShownInputKept,
  type Job,
  type JobInputs,
  type JsonObject,
  type StoredJob,
  toStoredJob,
} from '@genmount/core'
import type { Row } from './statement.ts'

/**
 * An input whose JSON has at least this many characters gets a row of its own. A shorter input is written again with each
 * step: that takes at most two more pages of the file, and a row of its own would take as many when the job is created.
 */
const longInput = 8192

/** The inputs that have rows of their own, and the ids of their jobs. Such an object is not written again. */
const jobOfRow = new WeakMap<JsonObject, string>()

/** What an insert stores. The texts are made at once, because the caller may change the job while the write waits. */
export interface NewJob {
  /** The JSON for the column `job`. */
  readonly text: string
  /** The JSON for the row of `tasks`. An older release finds the input there. @default no such row */
  readonly task: string | undefined
  /** The JSON for the row of `inputs`. @default no such row */
  readonly input: string | undefined
}

/** What an insert stores of a job. */
export function newJob(job: Job): NewJob {
  const { input, shownInput } = job
  const task = input && JSON.stringify(input)
  const shownText = input === shownInput ? task : JSON.stringify(shownInput)
  const isLong = shownText !== undefined && shownText.length >= longInput
  if (isLong) jobOfRow.set(shownInput, job.id)
  return { text: jobText(job, isLong), task, input: isLong ? shownText : undefined }
}

/** The JSON of a written job for the column `job`, and which rows of inputs it no longer has. */
export function writtenJob(job: Job) {
  return {
    text: jobText(job, jobOfRow.get(job.shownInput) === job.id),
    dropsTask: !isInputKept(job),
    dropsInput: !isShownInputKept(job),
  }
}

/** The JSON of a job for the column `job`. The provider's input has a row of its own; only the first version had it here. */
function jobText(job: Job, isShownInputApart: boolean): string {
  const stored = toStoredJob(job)
  return JSON.stringify({ ...stored, task: undefined, ...(isShownInputApart && { input: {} }) })
}

/** Makes the job of a row of a list, which lacks the provider's copy of the input. */
export function listedJob({ job, input }: Row): Job {
  const stored = JSON.parse(String(job)) as StoredJob
  return fromStoredJob({ ...stored, task: undefined, ...(input !== null && { input: inputIn(input) }) })
}

/** Makes the job of a row. @param inputs the inputs of which the query has left out the texts */
export function jobIn(row: Row, inputs?: JobInputs): Job {
  const { task, input: shown, task_row, input_row } = row
  const stored = JSON.parse(String(row['job'])) as StoredJob
  const input = task_row === null ? stored.task : task === null ? inputs!.input! : inputIn(task)
  if (input_row === null) return fromStoredJob({ ...stored, task: input })
  // Without data URIs, both inputs of a new job are the same object, so they are the same here.
  const isSame = task !== null && task === shown
  const shownInput = shown === null ? inputs!.shownInput : isSame ? input! : inputIn(shown)
  jobOfRow.set(shownInput, stored.id)
  return fromStoredJob({ ...stored, task: input, input: shownInput })
}

function inputIn(text: unknown): JsonObject {
  return JSON.parse(String(text)) as JsonObject
}
