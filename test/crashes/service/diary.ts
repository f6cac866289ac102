import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import process from 'node:process'
import type { Provider } from '@genmount/core'
import type { Store } from './outages.ts'

/** What a server process writes down of itself for the auditor. Instants and durations are of the system's clock. */
export type DiaryEntry = { readonly pid: number; readonly at: number } &
  /** The provider's answer to the submit of the job is in the process's hands. */
  (
    | { readonly what: 'answer'; readonly jobId: string }
    | { readonly what: 'outage'; readonly store: Store; readonly forMs: number }
  )

type Event<Entry> = Entry extends DiaryEntry ? Omit<Entry, 'pid' | 'at'> : never

/** Writes into a file that several processes share, at once: a process that is killed loses none of it. */
export function diaryIn(file: string): (event: Event<DiaryEntry>) => void {
  return (event) =>
    appendFileSync(file, `${JSON.stringify({ pid: process.pid, at: Date.now(), ...event })}\n`)
}

export function readDiary(file: string): readonly DiaryEntry[] {
  if (!existsSync(file)) return []
  const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1)
  return lines.map((line) => JSON.parse(line) as DiaryEntry)
}

/** The provider, which tells of each answer to a submit before anybody else hears of it. */
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
