import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import process from 'node:process'
import type { Provider } from '@genmount/core'
import type { Store } from './outages.ts'

/**
 * What a server process writes about itself for the auditor. Instants and durations are by the clock of the
 * system.
 */
export type DiaryEntry = { readonly pid: number; readonly at: number } &
  /** The process has received the answer of the provider to the submit of the job. */
  (
    | { readonly what: 'answer'; readonly jobId: string }
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

/** The same provider. It calls `tell` for each answer to a submit, before the service gets the answer. */
export function tellingProvider(provider: Provider, tell: (jobId: string) => void): Provider {
  return {
    ...provider,
    async submit(task, call) {
      const report = await provider.submit(task, call)
      tell(task.jobId)
      return report
    },
  }
}
