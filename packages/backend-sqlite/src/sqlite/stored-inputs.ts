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
import type { JobStatements } from './job-statements.ts'
import type { Row } from './statement.ts'

/**
 * An input whose JSON has at least this many characters gets a row of its own. A shorter input is written again with each
 * step: that takes at most two more pages of the file, and a row of its own would take as many when the job is created.
 */
const longInput = 8192

/** The inputs that have rows of their own, and the ids of their jobs. Such an object is not written again. */
const jobOfRow = new WeakMap<JsonObject, string>()

/**
 * The JSON of a new job for the column `job`, and a function that writes the rows of its inputs. The JSON is made at once,
 * because the caller may change the job while the write waits. An older release finds the inputs in the same rows.
 */
export function newJob(job: Job) {
  const { input, shownInput } = job
  const inputText = input && JSON.stringify(input)
  const shownText = input === shownInput ? inputText : JSON.stringify(shownInput)
  const isLong = shownText !== undefined && shownText.length >= longInput
  return {
    text: jobText(job, isLong),
    write(statements: JobStatements): void {
      if (inputText !== undefined) statements.insertTask.run(job.id, inputText)
      if (isLong) statements.insertInput.run(job.id, shownText)
      if (isLong) jobOfRow.set(shownInput, job.id)
    },
  }
}

/** The JSON of a written job for the column `job`, and a function that deletes the inputs that it no longer has. */
export function writtenJob(job: Job) {
  const [dropsInput, dropsShown] = [!isInputKept(job), !isShownInputKept(job)]
  return {
    text: jobText(job, jobOfRow.get(job.shownInput) === job.id),
    write(statements: JobStatements): void {
      if (dropsInput) statements.deleteTask.run(job.id)
      if (dropsShown) statements.deleteInput.run(job.id)
    },
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
