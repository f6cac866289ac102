import { isInputKept, isTaskKept, type Job, type JobInputs, type JsonObject } from '@genmount/core'

/**
 * An input whose JSON has at least this many characters has a row of its own, so that the steps of the job do not write
 * it again. Postgres would store a longer row in several pieces anyway (TOAST, about 2 kB).
 */
const longInput = 2000

type Row = Readonly<Record<string, unknown>>

/** The inputs that have rows of their own, and the ids of their jobs. Such an object is not written again. */
const jobOfRow = new WeakMap<JsonObject, string>()

/** What is stored of a job. */
interface StoredJob {
  /** The JSON for the column `job`: the job without its long inputs. A long `input` is replaced by `{}`. */
  readonly text: string
  /** The JSON of task and input if they are new and long, and null otherwise. */
  readonly long: readonly [task: string | null, input: string | null]
}

/** What an insert stores. */
export function newJob(job: Job): StoredJob {
  const { id, task, input } = job
  const taskText = task && longText(task)
  const inputText = input === task ? taskText : longText(input)
  if (taskText) jobOfRow.set(task, id)
  if (inputText) jobOfRow.set(input, id)
  return { text: restOf(job), long: [taskText ?? null, inputText ?? null] }
}

function longText(input: JsonObject): string | undefined {
  const text = JSON.stringify(input)
  return text.length >= longInput ? text : undefined
}

/** The JSON for the column `job` of a job whose long inputs are stored. */
export function restOf(job: Job): string {
  const { id, task, input } = job
  const isTaskApart = task !== undefined && (jobOfRow.get(task) === id || !isTaskKept(job))
  const isInputApart = jobOfRow.get(input) === id
  // A job without long inputs is not copied, because every write of every job passes here.
  if (!isTaskApart && !isInputApart) return JSON.stringify(job)
  return JSON.stringify({
    ...job,
    ...(isTaskApart && { task: undefined }),
    ...(isInputApart && { input: {} }),
  })
}

/** Whether a finished job keeps the rows of task and input. */
export function keptRows(job: Job): [task: boolean, input: boolean] {
  return [isTaskKept(job), isInputKept(job)]
}

/** Which inputs this process has, so that a query need not read their texts. */
export function knownIn(inputs: JobInputs | undefined): [task: boolean, input: boolean] {
  return [inputs?.task !== undefined, inputs !== undefined]
}

/** Makes the job of a row without texts. @returns `undefined` when one of its inputs is not in memory */
export function jobWith(row: Row, inputs: JobInputs | undefined): Job | undefined {
  const [hasTask, hasInput] = knownIn(inputs)
  const isKnown = (row['task_part'] === null || hasTask) && (row['input_part'] === null || hasInput)
  return isKnown ? jobIn(row, inputs) : undefined
}

/** Makes the job of a row. @param inputs the inputs of which the query has left out the texts */
export function jobIn(row: Row, inputs?: JobInputs): Job {
  const job = JSON.parse(String(row['job'])) as Job & { task?: JsonObject; input: JsonObject }
  const { task, input, task_part, input_part } = row
  if (task_part !== null) job.task = inputIn(task) ?? inputs!.task!
  // Without data URIs, task and input of a new job are the same object, so they are the same here.
  if (input_part !== null) job.input = input && input === task ? job.task! : (inputIn(input) ?? inputs!.input)
  if (task_part !== null) jobOfRow.set(job.task!, job.id)
  if (input_part !== null) jobOfRow.set(job.input, job.id)
  return job
}

function inputIn(text: unknown): JsonObject | undefined {
  return typeof text === 'string' ? (JSON.parse(text) as JsonObject) : undefined
}
