import type { DatabaseSync } from 'node:sqlite'
import { longestLockPauseMs, patiently } from './patiently.ts'

/** How long one transaction goes on taking writes in before the event loop has its turn again. */
const sliceMs = 20

/** Runs writes in transactions. */
export interface GroupCommit {
  /** Runs `change` in a transaction. @returns what it returned, once that is on disk */
  write<Result>(change: () => Result): Promise<Result>
  /** Resolves when no write is waiting. */
  settled(): Promise<void>
}

interface Write {
  /** @returns what tells the caller that the change is on disk */
  run(): () => void
  reject(error: unknown): void
}

/**
 * Puts the writes that come together into one transaction, because it is the commit that waits for the disk. They
 * succeed together or fail together.
 */
export function groupCommit(database: DatabaseSync): GroupCommit {
  const begin = database.prepare('BEGIN IMMEDIATE')
  const commit = database.prepare('COMMIT')
  const rollback = database.prepare('ROLLBACK')
  const waiting: Write[] = []
  let flushing: Promise<void> | undefined
  let othersTurnUntil = 0

  function commitSome(): (() => void)[] {
    const written: (() => void)[] = []
    begin.run()
    const beganAt = performance.now()
    try {
      for (const { run } of waiting) {
        written.push(run())
        if (performance.now() >= beganAt + sliceMs) break
      }
      commit.run()
      const committedAt = performance.now()
      othersTurnUntil = committedAt + Math.min(longestLockPauseMs, (committedAt - beganAt) / 2)
      return written
    } catch (error) {
      rollBack()
      throw error
    }
  }

  function rollBack(): void {
    try {
      rollback.run()
    } catch {
      // SQLite has rolled back by itself, as it does when the disk is full.
    }
  }

  async function flush(): Promise<void> {
    while (waiting.length > 0) {
      await turn()
      try {
        const written = await patiently(commitSome)
        waiting.splice(0, written.length)
        for (const tell of written) tell()
      } catch (error) {
        for (const { reject } of waiting.splice(0)) reject(error)
      }
    }
    flushing = undefined
  }

  /** SQLite's lock knows no queue: who takes it back at once starves the processes that wait for it. */
  function turn(): Promise<void> {
    const pauseMs = othersTurnUntil - performance.now()
    return new Promise((resolve) => (pauseMs < 1 ? setImmediate(resolve) : setTimeout(resolve, pauseMs)))
  }

  return {
    write: (change) =>
      new Promise((resolve, reject) => {
        const run = () => {
          const result = change()
          return () => resolve(result)
        }
        waiting.push({ run, reject })
        flushing ??= flush()
      }),
    settled: async () => flushing,
  }
}
