import { type Clock, type JobSignals, memorySignals } from '@genmount/core'
import { columnText, textInColumn } from './column-text.ts'
import type { JobDatabase } from './job-database.ts'
import { newsInPayload, newsPayload } from './news-payload.ts'

/**
 * How long after a subscription this process announces it to the other processes, in milliseconds, so that several
 * subscriptions share one statement.
 */
const gatherMs = 10
/** The interval in milliseconds at which the jobs with subscriptions are read, in case a notification was lost. */
const intervalMs = 1500
/** The most jobs in one statement. */
const sliceSize = 1000

interface Watch {
  /** The number of subscriptions. */
  count: number
  /** The revision that the subscribers know; `undefined` when they know none. */
  revision: number | undefined
  /** Whether this subscription has been announced to the other processes. */
  isTold: boolean
}

/** Signals and news within this process, and from the writes of other processes. */
export interface PostgresSignals extends Required<JobSignals> {
  /** Records that the job was read or written here, and wakes no subscriber. */
  saw(jobId: string, revision: number): void
  /** Receives the payload of a notification of another process. */
  hear(payload: string): void
  /** Reads all jobs with subscriptions soon, because notifications may have been lost. */
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
    // If the database does not answer, the next read tries again.
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
        // The last subscription of the job has ended in the meantime.
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
      publish(jobId, jobNews) {
        local.news.publish(jobId, jobNews)
        // Lost news needs no retry, because newer news follows.
        database.run('tellNews', [columnText(jobId), processId, newsPayload(jobId, jobNews)]).catch(() => {})
      },
      subscribe: (jobId, hear) => watched(jobId, local.news.subscribe(jobId, hear)),
    },
    saw(jobId, revision) {
      const watch = watches.get(jobId)
      if (watch && revision > (watch.revision ?? 0)) watch.revision = revision
    },
    hear(payload) {
      const jobNews = newsInPayload(payload)
      if (jobNews) return local.news.publish(jobNews.jobId, jobNews.news)
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
