import type { SQLOutputValue } from 'node:sqlite'
import { isInputKept, isTaskKept, type Job, type JobInputs, type JsonObject } from '@genmount/core'
import type { JobStatements } from './job-statements.ts'

/**
 * An input whose JSON has at least this many characters gets a row of its own. A shorter input is written again with each
 * step: that takes at most two more pages of the file, and a row of its own would take as many when the job is created.
 */
const longInput = 8192

type Row = Readonly<Record<string, SQLOutputValue>>

/** The inputs that have rows of their own, and the ids of their jobs. Such an object is not written again. */
const jobOfRow = new WeakMap<JsonObject, string>()

/**
 * The JSON of a new job for the column `job`, and a function that writes the rows of its inputs. The JSON is made at once,
 * because the caller may change the job while the write waits. An older release finds the inputs in the same rows.
 */
export function newJob({ task, ...job }: Job) {
  const { id, input } = job
  const taskText = task && JSON.stringify(task)
  const inputText = task === input ? taskText : JSON.stringify(input)
  const isLong = inputText !== undefined && inputText.length >= longInput
  return {
    text: JSON.stringify(isLong ? { ...job, input: {} } : job),
    write(statements: JobStatements): void {
      if (taskText !== undefined) statements.insertTask.run(id, taskText)
      if (isLong) statements.insertInput.run(id, inputText)
      if (isLong) jobOfRow.set(input, id)
    },
  }
}

/** The JSON of a written job for the column `job`, and a function that deletes the inputs that it no longer has. */
export function writtenJob(job: Job) {
  const { id, input } = job
  const rest = { ...job, task: undefined, ...(jobOfRow.get(input) === id && { input: {} }) }
  const [dropsTask, dropsInput] = [!isTaskKept(job), !isInputKept(job)]
  return {
    text: JSON.stringify(rest),
    write(statements: JobStatements): void {
      if (dropsTask) statements.deleteTask.run(id)
      if (dropsInput) statements.deleteInput.run(id)
    },
  }
}

/** Makes the job of a row. @param inputs the inputs of which the query has left out the texts */
export function jobIn(row: Row, inputs?: JobInputs): Job {
  const job = JSON.parse(String(row['job'])) as Job & { task?: JsonObject; input: JsonObject }
  const { task, input } = row
  if (row['task_row'] !== null)
    job.task = task === null ? inputs!.task! : (JSON.parse(String(task)) as JsonObject)
  if (row['input_row'] === null) return job
  // Without data URIs, task and input of a new job are the same object, so they are the same here.
  const isSame = task !== null && task === input
  job.input = input === null ? inputs!.input : isSame ? job.task! : (JSON.parse(String(input)) as JsonObject)
  jobOfRow.set(job.input, job.id)
  return job
}
