import type { DatabaseSync } from 'node:sqlite'
import { longestLockPauseMs, patiently } from './patiently.ts'

/**
 * How long one transaction continues with waiting writes, in milliseconds. Then it commits, so that other processes get
 * the lock and the event loop runs.
 */
const sliceMs = 5

/**
 * The smallest number of writes that are answered in one turn of the event loop. If more than a hundred writes wait for
 * their answers, a twentieth of them is answered in one turn. The caller of a write continues in the same turn, for about
 * half a millisecond: it submits the job of a create, for example.
 */
const answersPerTurn = 5

/** Runs writes in transactions, several of them in one. */
export interface GroupCommit {
  /** Runs `change` in a transaction. @returns the result of `change`, as soon as the transaction is on disk */
  write<Result>(change: () => Result): Promise<Result>
}

interface Write {
  run(): void
  resolve(): void
  reject(error: unknown): void
}

/**
 * Puts the writes that wait at the same time into one transaction: they succeed together or fail together. The
 * transaction never awaits anything while it is open: it holds the write lock, and while a process waits with this
 * lock, no other process can write.
 * @param writable resolves when a transaction may begin
 * @param untilOnDisk resolves as soon as everything that was committed is on disk. The next transaction does not wait for it
 */
export function groupCommit(
  database: DatabaseSync,
  writable: () => Promise<void>,
  untilOnDisk: () => Promise<void>,
): GroupCommit {
  const begin = database.prepare('BEGIN IMMEDIATE')
  const commit = database.prepare('COMMIT')
  const rollback = database.prepare('ROLLBACK')
  const waiting: Write[] = []
  /** The writes that are on disk and not answered yet. */
  const onDisk: Write[] = []
  let isAnswering = false
  let isFlushing = false
  /** Until this instant the lock is left to other processes. */
  let othersTurnUntil = 0

  /** Runs the first waiting writes in one transaction. @returns the number of these writes */
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
      // SQLite has already rolled back by itself, for example because the disk is full.
    }
  }

  async function flush(): Promise<void> {
    if (isFlushing) return
    isFlushing = true
    while (waiting.length > 0) {
      await turn()
      await writable()
      try {
        const count = await patiently(commitSome)
        void settle(waiting.splice(0, count))
      } catch (error) {
        // All waiting writes are refused, because the others would only wait for the same lock or the same
        // disk.
        refuse(waiting.splice(0), error)
      }
    }
    isFlushing = false
  }

  async function settle(written: readonly Write[]): Promise<void> {
    try {
      await untilOnDisk()
      onDisk.push(...written)
      if (!isAnswering) void answer()
    } catch (error) {
      refuse(written, error)
    }
  }

  /** Answers the writes that are on disk. Those of several transactions are often there at the same moment. */
  async function answer(): Promise<void> {
    isAnswering = true
    while (onDisk.length > 0) {
      for (const { resolve } of onDisk.splice(0, Math.max(answersPerTurn, onDisk.length / 20))) resolve()
      await new Promise((resolve) => setImmediate(resolve))
    }
    isAnswering = false
  }

  function refuse(writes: readonly Write[], error: unknown): void {
    for (const { reject } of writes) reject(error)
  }

  /**
   * Leaves the lock free for a moment before the next transaction. SQLite keeps no queue of the processes
   * that wait for its lock, so a process that takes the lock again at once would keep all others from it.
   */
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
