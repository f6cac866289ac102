import { setTimeout as delay } from 'node:timers/promises'
import type { Provider, ProviderReport, ProviderTask } from '@genmount/core'

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
}

/** The part of a provider that is the same for all that make things in this process. */
export type LocalTasks = Required<Pick<Provider, 'submit' | 'poll' | 'cancel' | 'dedupesSubmits' | 'close'>>

/** How long a submit waits for its task, in milliseconds: what is small is done by then and needs no poll. */
const patienceMs = 500

/** When to ask again for a task that is not done, in milliseconds. */
const pollAfterMs = 250

/** What a report takes beside its outputs, in bytes: those of failed tasks must not pile up either. */
const reportBytes = 1024

interface Work {
  readonly abort: AbortController
  /** Never rejects. */
  readonly settled: Promise<void>
}

/**
 * Tasks of this process. One client token is one task, however often it is submitted. Whoever asks after a task that this
 * process does not have, because another one had it or its report was dropped, has it made again.
 * @example { name: 'mine', models, ...localTasks({ make, close }) }
 */
export function localTasks({ make, close, keptBytes = 128 * 1024 * 1024 }: LocalTasksOptions): LocalTasks {
  const underWay = new Map<string, Work>()
  /** The oldest first, as a Map keeps them. */
  const finished = new Map<string, FinishedReport>()
  let bytes = 0
  let isClosed = false

  function begin(task: ProviderTask): Work {
    const { clientToken } = task
    const abort = new AbortController()
    const settled = make(task, abort.signal)
      .catch(brokenDown)
      .then((report) => {
        // Cancelled or closed: there is nobody to tell.
        if (isClosed || underWay.get(clientToken) !== work) return
        underWay.delete(clientToken)
        keep(clientToken, report)
      })
    const work = { abort, settled }
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
    if (!underWay.has(task.clientToken)) begin(task)
    return { state: 'running', handle: task.clientToken, pollAfterMs }
  }

  return {
    dedupesSubmits: true,
    async submit(task, { signal }) {
      const { clientToken } = task
      if (!finished.has(clientToken)) await settledSoon(underWay.get(clientToken) ?? begin(task), signal)
      return reportOf(task)
    },
    async poll(task) {
      return reportOf(task)
    },
    async cancel({ clientToken }) {
      underWay.get(clientToken)?.abort.abort()
      underWay.delete(clientToken)
      forget(clientToken)
    },
    async close() {
      isClosed = true
      for (const { abort } of underWay.values()) abort.abort()
      underWay.clear()
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
