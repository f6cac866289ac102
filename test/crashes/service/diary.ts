import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import process from 'node:process'
import type { Backend, FileStore, Job, JobPhase, Provider } from '@genmount/core'
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
      /** How many processes have died in a row during steps of the job. */
      readonly deaths: number
    }
  /** The process has deleted the job's row. */
  | { readonly what: 'row deleted'; readonly jobId: string }
  /** The process has stored or deleted a file of the job. */
  | { readonly what: 'file stored' | 'file deleted'; readonly jobId: string; readonly key: string }
  /** How long the process has waited for a CPU, which ended now. */
  | { readonly what: 'waited'; readonly forMs: number }
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

/** The same backend. It calls `tell` after each write to a job, and `tellDeleted` after each delete of a job's row. */
export function tellingBackend(
  backend: Backend,
  tell: (job: Job) => void,
  tellDeleted: (jobId: string) => void,
): Backend {
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
        if (outcome === 'replaced') tell(job)
        return outcome
      },
      async delete(id) {
        await jobs.delete(id)
        tellDeleted(id)
      },
    },
  }
}

/** The same file store. It calls `tell` after each file that it has stored or deleted. */
export function tellingFiles(
  files: FileStore,
  tell: (what: 'file stored' | 'file deleted', key: string) => void,
): FileStore {
  return {
    ...files,
    async put(key, body, contentType) {
      await files.put(key, body, contentType)
      tell('file stored', key)
    },
    async delete(key) {
      await files.delete(key)
      tell('file deleted', key)
    },
  }
}
