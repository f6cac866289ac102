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

/**
 * An input whose JSON has at least this many characters has a row of its own, so that the steps of the job do not write
 * it again. Postgres would store a longer row in several pieces anyway (TOAST, about 2 kB).
 */
const longInput = 2000

type Row = Readonly<Record<string, unknown>>

/** The inputs that have rows of their own, and the ids of their jobs. Such an object is not written again. */
const jobOfRow = new WeakMap<JsonObject, string>()

/**
 * The fields of a job in the order of the JSON. `dueAt` is the first, because `due` reads it there. If the old and the new row
 * are on the same page, Postgres leaves what is the same at their end out of its log. So what each
 * step changes comes first, then what few steps change, then what only the end removes, and last what never changes.
 */
const fieldsInOrder = (
  'dueAt revision phase updatedAt earliestAt claimedUntil isQuiet claimToken isHinted abandonedClaims setback unknown ' +
  'checkedAt pollAfterMs handle reported cancelAskedAt deletedAt deleteAt attempts outputs costUsd isCostKnown inferenceMs ' +
  'tokens completedAt error webhook isInLedger submitToken startedAt provider providerModel route task ' +
  'deadlineAt expiresAt id owner model outputKind clientToken retentionDays createdAt reservedUsd metadata idempotency input'
).split(' ')
const emptyJob = Object.fromEntries(fieldsInOrder.map((name) => [name, undefined]))

/** What an insert stores: the JSON for the column `job`, and the JSON of the inputs that get rows of their own. */
interface NewRows {
  readonly text: string
  readonly long: readonly [input: string | null, shownInput: string | null]
}

/** What an insert stores. */
export function newJob(job: Job): NewRows {
  const { id, input, shownInput } = job
  const inputText = input && longText(input)
  const shownText = shownInput === input ? inputText : longText(shownInput)
  if (inputText) jobOfRow.set(input, id)
  if (shownText) jobOfRow.set(shownInput, id)
  return { text: restOf(job), long: [inputText ?? null, shownText ?? null] }
}

function longText(input: JsonObject): string | undefined {
  const text = JSON.stringify(input)
  return text.length >= longInput ? text : undefined
}

/** The JSON for the column `job` of a job whose long inputs are stored. A long `input` is replaced by `{}`. */
export function restOf(job: Job): string {
  const { id, input, shownInput } = job
  const isInputApart = input !== undefined && (jobOfRow.get(input) === id || !isInputKept(job))
  return JSON.stringify({
    ...emptyJob,
    ...toStoredJob(job),
    ...(isInputApart && { task: undefined }),
    ...(jobOfRow.get(shownInput) === id && { input: {} }),
  })
}

/** Whether a finished job keeps the rows of its inputs. */
export function keptRows(job: Job): [input: boolean, shownInput: boolean] {
  return [isInputKept(job), isShownInputKept(job)]
}

/** Which inputs this process has, so that a query need not read their texts. */
export function knownIn(inputs: JobInputs | undefined): [input: boolean, shownInput: boolean] {
  return [inputs?.input !== undefined, inputs !== undefined]
}

/** Makes the job of a row without texts. @returns `undefined` when one of its inputs is not in memory */
export function jobWith(row: Row, inputs: JobInputs | undefined): Job | undefined {
  const [hasInput, hasShown] = knownIn(inputs)
  const isKnown = (row['task_part'] === null || hasInput) && (row['input_part'] === null || hasShown)
  return isKnown ? jobIn(row, inputs) : undefined
}

/** Makes the job of a row. @param inputs the inputs of which the query has left out the texts */
export function jobIn(row: Row, inputs?: JobInputs): Job {
  const { task, input: shown, task_part, input_part } = row
  const stored = JSON.parse(String(row['job'])) as StoredJob
  const input = task_part === null ? stored.task : (inputIn(task) ?? inputs!.input!)
  // Without data URIs, both inputs of a new job are the same object, so they are the same here.
  const longShown = () => (shown && shown === task ? input! : (inputIn(shown) ?? inputs!.shownInput))
  const shownInput = input_part === null ? stored.input : longShown()
  if (task_part !== null) jobOfRow.set(input!, stored.id)
  if (input_part !== null) jobOfRow.set(shownInput, stored.id)
  return fromStoredJob({ ...stored, task: input, input: shownInput })
}

/** Makes the job of a row of a list, which lacks the provider's copy of the input. */
export function listedJob({ job, input }: Row): Job {
  const stored = JSON.parse(String(job)) as StoredJob
  return fromStoredJob({ ...stored, task: undefined, input: inputIn(input) ?? stored.input })
}

function inputIn(text: unknown): JsonObject | undefined {
  return typeof text === 'string' ? (JSON.parse(text) as JsonObject) : undefined
}
