import type { DatabaseSync } from 'node:sqlite'
import { longestLockPauseMs, patiently } from './patiently.ts'

/** How long one transaction goes on taking writes in before it lets go of the lock and the event loop has its turn. */
const sliceMs = 5

/** Runs writes in transactions. */
export interface GroupCommit {
  /** Runs `change` in a transaction. @returns what it returned, once that is on disk */
  write<Result>(change: () => Result): Promise<Result>
}

interface Write {
  run(): void
  resolve(): void
  reject(error: unknown): void
}

/**
 * Puts the writes that come together into one transaction: they succeed together or fail together. Nothing is awaited while
 * the transaction is open, because a process that is frozen in it stops all others. `kept` resolves once what was committed
 * is on disk; meanwhile the next are written.
 */
export function groupCommit(database: DatabaseSync, kept: () => Promise<void>): GroupCommit {
  const begin = database.prepare('BEGIN IMMEDIATE')
  const commit = database.prepare('COMMIT')
  const rollback = database.prepare('ROLLBACK')
  const waiting: Write[] = []
  let isFlushing = false
  let othersTurnUntil = 0

  /** @returns how many of those that wait it has written */
  function commitSome(): number {
    let count = 0
    begin.run()
    const beganAt = performance.now()
    try {
      for (const { run } of waiting) {
        run()
        count++
        if (performance.now() >= beganAt + sliceMs) break
      }
      commit.run()
      const committedAt = performance.now()
      othersTurnUntil = committedAt + Math.min(longestLockPauseMs, (committedAt - beganAt) / 2)
      return count
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
    if (isFlushing) return
    isFlushing = true
    while (waiting.length > 0) {
      await turn()
      try {
        const count = await patiently(commitSome)
        void tellOf(waiting.splice(0, count))
      } catch (error) {
        // All of them, because they would wait for the same lock or disk.
        refuse(waiting.splice(0), error)
      }
    }
    isFlushing = false
  }

  async function tellOf(written: readonly Write[]): Promise<void> {
    try {
      await kept()
      for (const { resolve } of written) resolve()
    } catch (error) {
      refuse(written, error)
    }
  }

  function refuse(writes: readonly Write[], error: unknown): void {
    for (const { reject } of writes) reject(error)
  }

  /** SQLite's lock knows no queue: who takes it back at once starves the processes that wait for it. */
  function turn(): Promise<void> {
    const pauseMs = othersTurnUntil - performance.now()
    return new Promise((resolve) => (pauseMs < 1 ? setImmediate(resolve) : setTimeout(resolve, pauseMs)))
  }

  return {
    write<Result>(change: () => Result) {
      return new Promise<Result>((resolve, reject) => {
        let result: Result
        waiting.push({ run: () => void (result = change()), resolve: () => resolve(result), reject })
        void flush()
      })
    },
  }
}
