import { frozen, type Job, type JsonObject } from '@genmount/core'
import { knownParts, type Part, type Parts } from './known-parts.ts'

/**
 * A part whose JSON has at least this many characters has a row of its own, so that the steps of the job do not write
 * it again. Postgres would store a longer row in several pieces anyway (TOAST, about 2 kB).
 */
const longPart = 2000

type Row = Readonly<Record<string, unknown>>
type Ids = readonly [task: string | null, input: string | null]

/** A job without its long parts. */
export interface SeparatedJob {
  /** The job without these parts, as JSON. A long input is replaced by `{}`. */
  readonly rest: string
  /** The ids of the rows that task and input have already; null for a part that is short, absent or new. */
  readonly ids: Ids
  /** The JSON of the parts that need a new row. */
  readonly texts: Ids
  /** Whether the job may have other parts than the latest state of the job that this process has seen. */
  readonly isChanged: boolean
  /** Remembers the parts once they are stored. @param row has the ids of the new rows */
  keep(row: Row): void
}

/** Takes long parts out of jobs, and puts them back in. */
export interface SeparateParts {
  /** @param anew whether to write the parts even if this process knows their rows */
  separate(job: Job, anew?: boolean): SeparatedJob
  /** The parts of a job that are in memory, and their ids, for queries that leave them out. */
  known(jobId: string): { readonly parts: Parts; readonly ids: Ids }
  /** Makes the job of a row. @param left the parts that the query has left out. @default none */
  join(row: Row, left?: Parts): Job
  /**
   * Makes the job of a row without the texts of its parts. @returns `undefined` when one of the parts is not in memory
   */
  joinKnown(jobId: string, row: Row): Job | undefined
  /** Removes the parts of a job from memory. */
  forget(jobId: string): void
}

export function separateParts(): SeparateParts {
  const known = knownParts()

  /** Where the part is to be stored: in the row of the job, in its existing row, or in a new one. */
  function placeOf(part: JsonObject | undefined, last: Part | undefined, text?: string) {
    if (part && last?.value === part) return { id: last.id, text: null, part: last }
    const written = part && (text ?? JSON.stringify(part))
    return { id: null, text: written && written.length >= longPart ? written : null, part: undefined }
  }

  function partIn(kind: keyof Parts, row: Row, left: Part | undefined): Part | undefined {
    const id = row[`${kind}_part`]
    if (id === null) return undefined
    const text = row[kind] as string | null | undefined
    if (text === null || text === undefined) return left
    return { id: String(id), value: frozen(JSON.parse(text) as JsonObject), length: text.length }
  }

  function hasChanged({ id, text }: ReturnType<typeof placeOf>, last: Part | undefined): boolean {
    return text !== null || id !== (last?.id ?? null)
  }

  function join(row: Row, left: Parts): Job {
    const job = JSON.parse(String(row['job'])) as Job & { task?: JsonObject; input: JsonObject }
    if (row['task_part'] === null && row['input_part'] === null) return job
    const task = partIn('task', row, left.task)
    const input = partIn('input', row, left.input)
    if (task) job.task = task.value
    if (input) job.input = input.value
    known.keep(job.id, { task, input })
    return job
  }

  return {
    separate(job, anew = false) {
      const last = anew ? {} : known.of(job.id)
      const task = placeOf(job.task, last.task)
      const input = placeOf(
        job.input,
        last.input,
        job.input === job.task ? (task.text ?? undefined) : undefined,
      )
      const isApart = (place: typeof task) => place.id !== null || place.text !== null
      // A job without long parts is not copied, because every write of every job passes here.
      const rest =
        isApart(task) || isApart(input)
          ? { ...job, ...(isApart(task) && { task: undefined }), ...(isApart(input) && { input: {} }) }
          : job
      const stored = (kind: 'task' | 'input', place: typeof task, id: unknown): Part | undefined => {
        const value = job[kind]
        if (place.text === null || !value) return place.part
        return { id: String(id), value: frozen(value), length: place.text.length }
      }
      // Frozen, because the caller may otherwise change the parts while the write waits.
      if (task.text !== null) frozen(job.task)
      if (input.text !== null) frozen(job.input)
      return {
        rest: JSON.stringify(rest),
        ids: [task.id, input.id],
        texts: [task.text, input.text],
        isChanged: hasChanged(task, last.task) || hasChanged(input, last.input),
        keep: (row) =>
          known.keep(job.id, {
            task: stored('task', task, row['task_part']),
            input: stored('input', input, row['input_part']),
          }),
      }
    },

    known(jobId) {
      const parts = known.of(jobId)
      return { parts, ids: [parts.task?.id ?? null, parts.input?.id ?? null] }
    },

    join: (row, left = {}) => join(row, left),

    joinKnown(jobId, row) {
      const left = known.of(jobId)
      const isKnown = (kind: keyof Parts) =>
        row[`${kind}_part`] === null || String(row[`${kind}_part`]) === left[kind]?.id
      return isKnown('task') && isKnown('input') ? join(row, left) : undefined
    },

    forget: (jobId) => known.keep(jobId, {}),
  }
}
