import { type Clock, type JobSignals, memorySignals } from '@genmount/core'
import { columnText, textInColumn } from './column-text.ts'
import type { JobDatabase } from './job-database.ts'
import { newsInPayload, newsPayload } from './news-payload.ts'

/** How soon after a subscription the other processes are told of it, in milliseconds, so that many are told together. */
const gatherMs = 10
/** How often the jobs that are waited for are looked at, in case a notification was lost, in milliseconds. */
const intervalMs = 1500
/** How many jobs one statement is about. */
const sliceSize = 1000

interface Watch {
  /** How many subscriptions there are. */
  count: number
  /** The revision that those who wait know; `undefined` when they know none. */
  revision: number | undefined
  /** Whether the other processes have been told that this one waits. */
  isTold: boolean
}

/** Signals and news within this process, and for what other processes write. */
export interface PostgresSignals extends Required<JobSignals> {
  /** Notes that the job was read or written here, and wakes nobody. */
  saw(jobId: string, revision: number): void
  /** Takes the payload of a notification of another process. */
  hear(payload: string): void
  /** Looks at all jobs soon, because notifications may have been lost. */
  lookSoon(): void
}

export function postgresSignals(database: JobDatabase, processId: string, clock: Clock): PostgresSignals {
  const local = memorySignals()
  const watches = new Map<string, Watch>()
  const left = new Set<string>()
  let hasClosed = false
  let isLooking = false
  let mustLookAgain = false
  let nextAt = Number.POSITIVE_INFINITY
  let lookedAllAt = Number.NEGATIVE_INFINITY
  let cancelLook = () => {}

  function lookIn(ms: number): void {
    const at = clock.uptime() + ms
    if (hasClosed || at >= nextAt) return
    nextAt = at
    cancelLook()
    cancelLook = clock.after(ms, () => void look())
  }

  async function look(): Promise<void> {
    if (isLooking) return void (mustLookAgain = true)
    isLooking = true
    nextAt = Number.POSITIVE_INFINITY
    // When the database does not answer, the next look tries again.
    await lookNow().catch(() => {})
    isLooking = false
    if (mustLookAgain) lookIn(gatherMs)
    else if (watches.size > 0 || left.size > 0) lookIn(intervalMs)
    mustLookAgain = false
  }

  async function lookNow(): Promise<void> {
    const isTurnOfAll = clock.uptime() - lookedAllAt >= intervalMs
    if (isTurnOfAll) lookedAllAt = clock.uptime()
    const ids = [...watches].filter(([, { isTold }]) => isTurnOfAll || !isTold).map(([id]) => id)
    for (let start = 0; start < ids.length; start += sliceSize) {
      const slice = ids.slice(start, start + sliceSize)
      const rows = await database.run('wait', [slice.map(columnText), processId])
      for (const id of slice) {
        const watch = watches.get(id)
        if (watch) watch.isTold = true
        // Its last subscription has ended meanwhile.
        else left.add(id)
      }
      for (const row of rows) news(textInColumn(String(row['id'])), Number(row['revision']))
    }
    if (isTurnOfAll) await stopWaiting()
  }

  async function stopWaiting(): Promise<void> {
    const ids = [...left].filter((id) => !watches.has(id))
    left.clear()
    if (ids.length > 0) await database.run('stopWaiting', [ids.map(columnText), processId])
  }

  function news(jobId: string, revision: number): void {
    const watch = watches.get(jobId)
    if (!watch || watch.revision === revision) return
    watch.revision = revision
    local.publish(jobId)
  }

  /** @returns a function that ends the watch, together with the subscription in this process */
  function watched(jobId: string, unsubscribe: () => void): () => void {
    const watch = watches.get(jobId) ?? { count: 0, revision: undefined, isTold: false }
    watch.count++
    watches.set(jobId, watch)
    lookIn(watch.isTold ? intervalMs : gatherMs)
    let hasEnded = false
    return () => {
      unsubscribe()
      if (hasEnded) return
      hasEnded = true
      if (--watch.count > 0) return
      watches.delete(jobId)
      if (watch.isTold) left.add(jobId)
    }
  }

  return {
    publish: local.publish,
    subscribe: (jobId, wake) => watched(jobId, local.subscribe(jobId, wake)),
    news: {
      publish(jobId, told) {
        local.news.publish(jobId, told)
        // News that the database does not take are followed by newer ones.
        database.run('tellNews', [columnText(jobId), processId, newsPayload(jobId, told)]).catch(() => {})
      },
      subscribe: (jobId, hear) => watched(jobId, local.news.subscribe(jobId, hear)),
    },
    saw(jobId, revision) {
      const watch = watches.get(jobId)
      if (watch && revision > (watch.revision ?? 0)) watch.revision = revision
    },
    hear(payload) {
      const told = newsInPayload(payload)
      if (told) return local.news.publish(told.jobId, told.news)
      const jobId = payload
      if (watches.has(textInColumn(jobId))) local.publish(textInColumn(jobId))
    },
    lookSoon() {
      lookedAllAt = Number.NEGATIVE_INFINITY
      if (watches.size > 0) lookIn(gatherMs)
    },
    async close() {
      hasClosed = true
      cancelLook()
    },
  }
}
