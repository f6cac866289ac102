import type { SQLOutputValue } from 'node:sqlite'
import { frozen, type Job, type JsonObject } from '@genmount/core'
import type { JobStatements } from './job-statements.ts'
import { knownParts, type Parts, type Place } from './known-parts.ts'

/**
 * An input whose JSON has at least this many characters is written once, to a row of its own. A shorter input
 * is written again with each step: that takes at most two more pages of the file, and a row of its own would
 * take as many when the job is created.
 */
const longInput = 8192

/** The parts of a job that may have rows of their own, and the statements for these rows. */
const statementsOf = {
  task: { find: 'taskRow', remove: 'deleteTask', insert: 'insertTask' },
  input: { find: 'inputRow', remove: 'deleteInput', insert: 'insertInput' },
} as const

type Row = Readonly<Record<string, SQLOutputValue>>
type RowNumbers = [task: number | null, input: number | null]

/** A job without its large parts, and a function that writes these parts. */
export interface SeparatedJob {
  /**
   * The job without its parts. A long input is replaced by `{}`, so that an older release can still work on
   * the job.
   */
  readonly rest: Omit<Job, 'task'>
  /**
   * Call it in the transaction that writes the job. @returns a function to call when this transaction is on
   * disk
   */
  write(statements: JobStatements): () => void
}

/** Takes those parts out of a job that are large and hardly ever change, and puts them back in. */
export interface SeparateParts {
  /** Takes the parts out at once, because the caller may change the job object while the write waits. */
  separate(job: Job): SeparatedJob
  /**
   * The parts of the job that are in memory, and their row numbers, with which a query can leave them out.
   */
  known(jobId: string): { readonly parts: Parts; readonly rows: RowNumbers }
  /** Makes the job of a row. @param known the parts that the query has left out */
  join(row: Row, known?: Parts): Job
  /** Removes the parts of a deleted job from memory. */
  forget(jobId: string): void
}

export function separateParts(): SeparateParts {
  const known = knownParts()

  /** The JSON of a part, or `undefined` when the part is known to be in the file. */
  function newText(kind: keyof Parts, part: JsonObject | undefined): string | undefined {
    return part && !known.placeOf(kind, part) ? JSON.stringify(part) : undefined
  }

  /**
   * @returns a function that writes the part if it is a new one and returns its place. If the job has no such
   * part any more, the function removes the old one.
   */
  function writerOf(kind: keyof Parts, jobId: string, part: JsonObject | undefined, text?: string) {
    const row = known.placeOf(kind, frozen(part))?.row
    const { find, remove, insert } = statementsOf[kind]
    return (statements: JobStatements): Place | undefined => {
      if (row !== undefined && statements[find].get(jobId)?.id === row) return undefined
      statements[remove].run(jobId)
      if (!part) return undefined
      const written = text ?? JSON.stringify(part)
      return { row: Number(statements[insert].run(jobId, written).lastInsertRowid), length: written.length }
    }
  }

  function place(kind: keyof Parts, part: JsonObject | undefined, at: Place | undefined): void {
    if (part && at) known.place(kind, part, at)
  }

  /**
   * Without data URIs the task and the input of a job are the same object when it is created, so they are the
   * same here.
   */
  function partIn(kind: keyof Parts, row: Row, left?: JsonObject, task?: JsonObject): JsonObject | undefined {
    const number = row[`${kind}_row`]
    if (number === null) return undefined
    if (row[kind] === null && left) return left
    const text = String(row[kind])
    const part = task && text === row['task'] ? task : frozen(JSON.parse(text) as JsonObject)
    known.place(kind, part, { row: Number(number), length: text.length })
    return part
  }

  return {
    separate({ task, ...job }) {
      const { id } = job
      const inputText = newText('input', job.input)
      const input = inputText === undefined || inputText.length >= longInput ? job.input : undefined
      const writeTask = writerOf('task', id, task, task === job.input ? inputText : newText('task', task))
      const writeInput = writerOf('input', id, input, inputText)
      return {
        rest: input ? { ...job, input: {} } : job,
        write(statements) {
          const places = { task: writeTask(statements), input: writeInput(statements) }
          return () => {
            place('task', task, places.task)
            place('input', input, places.input)
            if (places.task || places.input || !task) known.keep(id, { task, input })
          }
        },
      }
    },

    known(jobId) {
      const parts = known.of(jobId)
      const task = known.placeOf('task', parts.task)?.row ?? null
      return { parts, rows: [task, known.placeOf('input', parts.input)?.row ?? null] }
    },

    join(row, left) {
      const job = JSON.parse(String(row['job'])) as Job & { task?: JsonObject; input: JsonObject }
      const task = partIn('task', row, left?.task)
      const input = partIn('input', row, left?.input, task)
      if (task) job.task = task
      if (input) job.input = input
      if (task !== left?.task || input !== left?.input) known.keep(job.id, { task, input })
      return job
    },

    forget: (jobId) => known.keep(jobId, {}),
  }
}
