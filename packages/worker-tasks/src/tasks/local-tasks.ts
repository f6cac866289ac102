import { setTimeout as delay } from 'node:timers/promises'
import {
  checkCount,
  type Json,
  type Provider,
  type ProviderReport,
  type ProviderTask,
  sharedRoom,
} from '@genmount/core'

/** The last word on a task. */
export type FinishedReport = Extract<ProviderReport, { state: 'succeeded' | 'failed' }>

export interface LocalTasksOptions {
  /**
   * Makes what the task asks for, of nothing but its input, so that a task that was lost can be made again. What it throws
   * fails the task, and is for the log; nobody reads it once `signal` has aborted.
   */
  readonly make: (task: ProviderTask, signal: AbortSignal) => Promise<FinishedReport>
  /** Frees what `make` works with, once its calls have been aborted. */
  readonly close: () => Promise<void>
  /** Reports are kept for another poll up to this many bytes of outputs, and the oldest dropped first. @default 128 MiB */
  readonly keptBytes?: number | undefined
  /**
   * What the inputs of tasks that are not finished may hold together, in characters, as data URIs are long; an owner that
   * has such a task gets no more than is left for all others. A submit beyond it is `refused` and made again later.
   * @default 128 Mi
   */
  readonly maxInputLength?: number | undefined
}

/** The part of a provider that is the same for all that make things in this process. */
export type LocalTasks = Required<Pick<Provider, 'submit' | 'poll' | 'cancel' | 'dedupesSubmits' | 'close'>>

/** How long a submit waits for its task, in milliseconds: what is small is done by then and needs no poll. */
const patienceMs = 500

/** When to ask again for a task that is not done, in milliseconds. */
const pollAfterMs = 250

/** What a report takes beside its outputs, in bytes: those of failed tasks must not pile up either. */
const reportBytes = 1024

/** What a task takes beside its input, as so many characters: small ones must not pile up either. */
const taskLength = 1024

const noRoom = {
  state: 'refused',
  message: 'Too many tasks wait for a worker at present.',
  retryAfterMs: 2000,
} as const

interface Work {
  /** Takes it off the tasks under way. */
  readonly end: () => void
  /** Never rejects. */
  readonly settled: Promise<void>
}

/**
 * Tasks of this process. One client token is one task, however often it is submitted. Whoever asks after a task that this
 * process does not have, because another one had it or its report was dropped, has it made again.
 * @throws TypeError when an option is wrong
 * @example { name: 'mine', models, ...localTasks({ make, close }) }
 */
export function localTasks(options: LocalTasksOptions): LocalTasks {
  const { make, close, keptBytes = 128 * 1024 * 1024, maxInputLength = 128 * 1024 * 1024 } = options
  checkCount('keptBytes', keptBytes, 0)
  checkCount('maxInputLength', maxInputLength)
  const inputs = sharedRoom(maxInputLength)
  const underWay = new Map<string, Work>()
  /** The oldest first, as a Map keeps them. */
  const finished = new Map<string, FinishedReport>()
  let bytes = 0
  let isClosed = false

  /** @returns `undefined` when there is no room for its input */
  function begin(task: ProviderTask): Work | undefined {
    const { clientToken, owner = '' } = task
    // One that is larger than all the room begins when no other is under way.
    const length = Math.min(maxInputLength, taskLength + textLength(task.input))
    if (!inputs.fits(length) || !inputs.mayHave(owner, length)) return undefined
    inputs.add(owner, length)
    const abort = new AbortController()
    const end = (): void => {
      underWay.delete(clientToken)
      inputs.add(owner, -length)
      abort.abort()
    }
    const settled = make(task, abort.signal)
      .catch(brokenDown)
      .then((report) => {
        // Cancelled or closed: there is nobody to tell.
        if (isClosed || underWay.get(clientToken) !== work) return
        end()
        keep(clientToken, report)
      })
    const work = { end, settled }
    underWay.set(clientToken, work)
    return work
  }

  function keep(clientToken: string, report: FinishedReport): void {
    finished.set(clientToken, report)
    bytes += sizeOf(report)
    for (const oldest of finished.keys()) {
      if (bytes <= keptBytes || oldest === clientToken) return
      forget(oldest)
    }
  }

  function forget(clientToken: string): void {
    const report = finished.get(clientToken)
    if (report) bytes -= sizeOf(report)
    finished.delete(clientToken)
  }

  function reportOf(task: ProviderTask): ProviderReport {
    const report = finished.get(task.clientToken)
    if (report) return report
    if (!underWay.has(task.clientToken) && !begin(task)) return noRoom
    return { state: 'running', handle: task.clientToken, pollAfterMs }
  }

  return {
    dedupesSubmits: true,
    async submit(task, { signal }) {
      const { clientToken } = task
      if (finished.has(clientToken)) return reportOf(task)
      const work = underWay.get(clientToken) ?? begin(task)
      if (!work) return noRoom
      await settledSoon(work, signal)
      return reportOf(task)
    },
    async poll(task) {
      return reportOf(task)
    },
    async cancel({ clientToken }) {
      underWay.get(clientToken)?.end()
      forget(clientToken)
    },
    async close() {
      isClosed = true
      for (const { end } of underWay.values()) end()
      finished.clear()
      await close()
    },
  }
}

/** The task's owner is told no more than that, because an error may name files of this machine. */
function brokenDown(cause: unknown): FinishedReport {
  const report = {
    state: 'failed',
    code: 'provider_failed',
    message: 'The work on this job broke down.',
    cause,
  } as const
  return report
}

function textLength(value: Json): number {
  if (typeof value === 'string') return value.length
  if (typeof value !== 'object' || value === null) return 0
  return Object.entries(value).reduce((sum, [key, part]) => sum + key.length + textLength(part), 0)
}

function sizeOf(report: FinishedReport): number {
  const outputs = report.state === 'succeeded' ? report.outputs : []
  return outputs.reduce((sum, output) => sum + ('bytes' in output ? output.bytes.byteLength : 0), reportBytes)
}

/** Waits for the work, but not for long, and not after `signal` has aborted. */
async function settledSoon({ settled }: Work, signal: AbortSignal): Promise<void> {
  const over = new AbortController()
  const patience = delay(patienceMs, undefined, { signal: AbortSignal.any([signal, over.signal]) })
  await Promise.race([settled, patience.catch(() => {})])
  over.abort()
}
