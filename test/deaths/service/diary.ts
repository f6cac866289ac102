import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import process from 'node:process'
import type { Job, JobPhase } from '@genmount/core'
import { cpuWaitMs } from '../../processes/cpu-wait.ts'
import type { PartHooks } from './hooked.ts'
import type { Store } from './server-settings.ts'

/** What a provider's call was about, as the diary names it. */
type CallNote = 'submit' | 'answer' | 'found' | 'not found'

/**
 * What a server process writes about itself for the auditor. Instants and durations are by the clock of the
 * system.
 */
export type DiaryEntry = { readonly pid: number; readonly at: number } & (
  | {
      /**
       * The process is about to submit the job, has received the answer to that submit, or was told by `find` whether
       * the vendor has the task.
       */
      readonly what: CallNote
      readonly jobId: string
    }
  /** The process has written to the job. */
  | {
      readonly what: 'write'
      readonly jobId: string
      readonly phase: JobPhase
      readonly revision: number
      /** How many processes have died in a row during steps of the job. */
      readonly deaths: number
      /** Why the job has failed. */
      readonly code?: string
    }
  /** The process has deleted the job's row, or its write was refused because the job had changed since it was read. */
  | { readonly what: 'row deleted' | 'stale write'; readonly jobId: string }
  /** The process has stored or deleted a file of the job. */
  | { readonly what: 'file stored' | 'file deleted'; readonly jobId: string; readonly key: string }
  /** How long the process has waited for a CPU, which ended now. */
  | { readonly what: 'waited'; readonly forMs: number }
  | { readonly what: 'outage'; readonly store: Store; readonly forMs: number }
)

type Event<Entry> = Entry extends DiaryEntry ? Omit<Entry, 'pid' | 'at'> : never
type Note = (event: Event<DiaryEntry>) => void

/**
 * Writes to a file that several processes share. Each entry is written synchronously, so a kill loses none.
 */
export function diaryIn(file: string): Note {
  return (event) =>
    appendFileSync(file, `${JSON.stringify({ pid: process.pid, at: Date.now(), ...event })}\n`)
}

export function readDiary(file: string): readonly DiaryEntry[] {
  if (!existsSync(file)) return []
  const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1)
  return lines.map((line) => JSON.parse(line) as DiaryEntry)
}

/** Notes what the service does: its writes, its submits, and its files. @param onAnswer runs before the service has an answer */
export function diaryHooks(note: Note, onAnswer: () => void): PartHooks {
  const noteWrite = ({ id, phase, revision, error, claim: { deaths = 0 } = {} }: Job) =>
    note({ what: 'write', jobId: id, phase, revision, deaths, ...(error && { code: error.code }) })
  const noteFile = (what: 'file stored' | 'file deleted', key: string) =>
    note({ what, jobId: key.replace(/-\d+$/, ''), key })
  return {
    jobs: {
      insert: {
        after({ outcome }, job) {
          if (outcome === 'inserted') noteWrite(job)
        },
      },
      replace: {
        after(outcome, job) {
          if (outcome === 'replaced') noteWrite(job)
          else note({ what: 'stale write', jobId: job.id })
        },
      },
      delete: { after: (_, jobId) => note({ what: 'row deleted', jobId }) },
    },
    provider: {
      submit: {
        before: ({ jobId }) => note({ what: 'submit', jobId }),
        after({ state }, { jobId }) {
          // A refusal is no answer about a task that the vendor has taken on.
          if (state !== 'refused') note({ what: 'answer', jobId })
          onAnswer()
        },
      },
      find: { after: (report, { jobId }) => note({ what: report ? 'found' : 'not found', jobId }) },
    },
    files: {
      put: { after: (_, key) => noteFile('file stored', key) },
      delete: { after: (_, key) => noteFile('file deleted', key) },
    },
  }
}

/** The interval between two notes of the waits, in milliseconds of the system. */
const noteEveryMs = 250

/**
 * Notes every 250 ms for how long this process has waited for a CPU since the last note. Only Linux counts this time.
 */
export function noteWaits(note: Note): void {
  let before = cpuWaitMs()
  setInterval(() => {
    const now = cpuWaitMs()
    note({ what: 'waited', forMs: Math.round(now - before) })
    before = now
  }, noteEveryMs).unref()
}
