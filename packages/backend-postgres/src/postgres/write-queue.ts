import type { Clock } from '@genmount/core'
import { isRefusal } from './ask-pool.ts'
import type { StatementName } from './statements.ts'

/** The most writes that one statement makes. */
const mostWrites = 50
/**
 * How long writes wait for the statement before them, in milliseconds. A commit takes less. A statement that waits for a lock
 * or for a broken connection must not hold up the others.
 */
const longestWaitMs = 25

const changed = 'phase revision due_at claimed_until claimed_by expires_at delete_at job stored_bytes'
const replaced = `id expected ${changed} teller`
const cost =
  'cost_owner model provider outcome cost_usd created_at started_at ended_at outputs cost_reserved key_id seconds'

/** The names of the parameters of the statements that write one job, as `writeSeveral` takes them. */
const parameters = {
  insert: `id owner ${changed}`.split(' '),
  replace: `${replaced} reserved`.split(' '),
  replaceFinished: `${replaced} keeps_task keeps_input ${cost} task_id`.split(' '),
} as const satisfies Partial<Record<StatementName, readonly string[]>>

/** A write of one job. */
export interface JobWrite {
  /** The statement that makes this write alone. */
  readonly name: keyof typeof parameters
  /** Its parameters. */
  readonly values: readonly unknown[]
}

/**
 * Makes a write, together with others.
 * @returns whether the job was written; `false` when the stored job has another revision
 * @throws the error of the statement
 */
export type WriteQueue = (write: JobWrite) => Promise<boolean>

interface Waiting extends JobWrite {
  readonly resolve: (isWritten: boolean | Promise<boolean>) => void
  readonly reject: (error: unknown) => void
}

/**
 * Makes the writes of a process. A write goes at once if no other is under way. Those that begin in the meantime go together
 * after it, as one statement and one commit, in which each job has its own comparison of revisions.
 */
export function writeQueue(
  run: (name: StatementName, values: unknown[]) => Promise<readonly Readonly<Record<string, unknown>>[]>,
  clock: Clock,
): WriteQueue {
  let waiting: Waiting[] = []
  let isBusy = false

  async function alone({ name, values }: JobWrite): Promise<boolean> {
    const rows = await run(name, [...values])
    return name === 'insert' || rows.length > 0
  }

  async function together(writes: readonly Waiting[]): Promise<void> {
    // All processes lock rows in the same order, so that none of them waits for another that waits for it.
    const sorted = writes.toSorted((a, b) => (String(a.values[0]) < String(b.values[0]) ? -1 : 1))
    const rows = await run('writeSeveral', [JSON.stringify(sorted.map(recordOf))])
    const written = new Set(rows.map((row) => Number(row['n'])))
    sorted.forEach((write, n) => {
      // The write alone finds out why its job was not written, and may have to wait for a lock.
      write.resolve(write.name === 'insert' || written.has(n) || alone(write))
    })
  }

  async function send(writes: readonly Waiting[]): Promise<void> {
    const [first] = writes
    if (first && writes.length === 1) return alone(first).then(first.resolve, first.reject)
    try {
      await together(writes)
    } catch (error) {
      for (const write of writes) {
        // What the server refuses may be the fault of one job, and nothing was written.
        if (isRefusal((error as Error).cause)) write.resolve(alone(write))
        else write.reject(error)
      }
    }
  }

  function sendNext(): void {
    if (isBusy || waiting.length === 0) return
    const writes = waiting.slice(0, mostWrites)
    waiting = waiting.slice(mostWrites)
    isBusy = true
    let isOver = false
    const goOn = () => {
      if (isOver) return
      isOver = true
      cancel()
      isBusy = false
      sendNext()
    }
    const cancel = clock.after(longestWaitMs, goOn)
    void send(writes).finally(goOn)
  }

  return (write) =>
    new Promise((resolve, reject) => {
      waiting.push({ ...write, resolve, reject })
      sendNext()
    })
}

/** The write as a record of `writeSeveral`. Its number `n` is the place among the writes. */
function recordOf({ name, values }: JobWrite, n: number): Readonly<Record<string, unknown>> {
  const record: Record<string, unknown> = { n, kind: name === 'insert' ? 'insert' : 'replace' }
  parameters[name].forEach((parameter, index) => {
    // What is absent from a record is null.
    if (values[index] !== null) record[parameter] = values[index]
  })
  return record
}
