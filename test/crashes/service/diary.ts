import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import process from 'node:process'
import { type Backend, isFinished, type Job, type JobPhase, type Provider } from '@genmount/core'
import type { Store } from './outages.ts'

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
      readonly what: 'submit' | 'answer' | 'found' | 'not found'
      readonly jobId: string
    }
  /** The process has written to the job. */
  | {
      readonly what: 'write'
      readonly jobId: string
      readonly phase: JobPhase
      readonly revision: number
    }
  | { readonly what: 'outage'; readonly store: Store; readonly forMs: number }
)

type Event<Entry> = Entry extends DiaryEntry ? Omit<Entry, 'pid' | 'at'> : never

/**
 * Writes to a file that several processes share. Each entry is written synchronously, so a kill loses none.
 */
export function diaryIn(file: string): (event: Event<DiaryEntry>) => void {
  return (event) =>
    appendFileSync(file, `${JSON.stringify({ pid: process.pid, at: Date.now(), ...event })}\n`)
}

export function readDiary(file: string): readonly DiaryEntry[] {
  if (!existsSync(file)) return []
  const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1)
  return lines.map((line) => JSON.parse(line) as DiaryEntry)
}

/** The same provider. It calls `tell` before each submit, and before the service gets the answer to it or to a `find`. */
export function tellingProvider(
  provider: Provider,
  tell: (what: 'submit' | 'answer' | 'found' | 'not found', jobId: string) => void,
): Provider {
  const { find } = provider
  return {
    ...provider,
    async submit(task, call) {
      tell('submit', task.jobId)
      const report = await provider.submit(task, call)
      tell('answer', task.jobId)
      return report
    },
    ...(find && {
      async find(task, call) {
        const report = await find(task, call)
        tell(report ? 'found' : 'not found', task.jobId)
        return report
      },
    }),
  }
}

/** The same backend. It calls `tell` after each write to a job that has not finished. */
export function tellingBackend(backend: Backend, tell: (job: Job) => void): Backend {
  const { jobs } = backend
  return {
    ...backend,
    jobs: {
      ...jobs,
      async insert(job) {
        const result = await jobs.insert(job)
        if (result.outcome === 'inserted') tell(job)
        return result
      },
      async replace(job, expectedRevision) {
        const outcome = await jobs.replace(job, expectedRevision)
        if (outcome === 'replaced' && !isFinished(job)) tell(job)
        return outcome
      },
    },
  }
}
