import type { SQLOutputValue } from 'node:sqlite'
import {
  type FlatClaim,
  flatClaim,
  isShownInputKept,
  isInputKept,
  type Job,
  type JobInputs,
  type JsonObject,
  withClaim,
} from '@genmount/core'
import type { JobStatements } from './job-statements.ts'

/**
 * An input whose JSON has at least this many characters gets a row of its own. A shorter input is written again with each
 * step: that takes at most two more pages of the file, and a row of its own would take as many when the job is created.
 */
const longInput = 8192

type Row = Readonly<Record<string, SQLOutputValue>>

/**
 * A job as it stands in the column `job`, under the names of the first release: `input` is the input as the owner sees it,
 * and `task` what the provider gets. Only the first version of the file has tasks here.
 */
type StoredJob = Omit<Job, keyof JobInputs | 'claim'> &
  FlatClaim & { readonly task?: JsonObject; readonly input: JsonObject }

/** The inputs that have rows of their own, and the ids of their jobs. Such an object is not written again. */
const jobOfRow = new WeakMap<JsonObject, string>()

/**
 * The JSON of a new job for the column `job`, and a function that writes the rows of its inputs. The JSON is made at once,
 * because the caller may change the job while the write waits. An older release finds the inputs in the same rows.
 */
export function newJob({ input, shownInput, claim, ...job }: Job) {
  const inputText = input && JSON.stringify(input)
  const shownText = input === shownInput ? inputText : JSON.stringify(shownInput)
  const isLong = shownText !== undefined && shownText.length >= longInput
  return {
    text: JSON.stringify({ ...job, ...flatClaim(claim), input: isLong ? {} : shownInput }),
    write(statements: JobStatements): void {
      if (inputText !== undefined) statements.insertTask.run(job.id, inputText)
      if (isLong) statements.insertInput.run(job.id, shownText)
      if (isLong) jobOfRow.set(shownInput, job.id)
    },
  }
}

/** The JSON of a written job for the column `job`, and a function that deletes the inputs that it no longer has. */
export function writtenJob({ input: _input, shownInput, claim, ...job }: Job) {
  const [dropsInput, dropsShown] = [!isInputKept(job), !isShownInputKept(job)]
  return {
    text: JSON.stringify({
      ...job,
      ...flatClaim(claim),
      input: jobOfRow.get(shownInput) === job.id ? {} : shownInput,
    }),
    write(statements: JobStatements): void {
      if (dropsInput) statements.deleteTask.run(job.id)
      if (dropsShown) statements.deleteInput.run(job.id)
    },
  }
}

/** Makes the job of a row of a list, which lacks the provider's copy of the input. */
export function listedJob({ job, input }: Row): Job {
  const { task: _task, input: shortInput, ...rest } = storedJob(job)
  return { ...rest, shownInput: input === null ? shortInput : inputIn(input) }
}

/** Makes the job of a row. @param inputs the inputs of which the query has left out the texts */
export function jobIn(row: Row, inputs?: JobInputs): Job {
  const { task, input: shown, task_row, input_row } = row
  const { task: ownTask, input: shortInput, ...rest } = storedJob(row['job'])
  const input = task_row === null ? ownTask : task === null ? inputs!.input! : inputIn(task)
  if (input_row === null) return { ...rest, ...(input && { input }), shownInput: shortInput }
  // Without data URIs, both inputs of a new job are the same object, so they are the same here.
  const isSame = task !== null && task === shown
  const shownInput = shown === null ? inputs!.shownInput : isSame ? input! : inputIn(shown)
  jobOfRow.set(shownInput, rest.id)
  return { ...rest, ...(input && { input }), shownInput }
}

function storedJob(text: unknown) {
  return withClaim(JSON.parse(String(text)) as StoredJob)
}

function inputIn(text: unknown): JsonObject {
  return JSON.parse(String(text)) as JsonObject
}
