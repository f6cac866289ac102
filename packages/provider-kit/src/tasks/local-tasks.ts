import { setTimeout as delay } from 'node:timers/promises'
import {
  callable,
  checkOptions,
  count,
  type JobPreview,
  type Json,
  optional,
  type OptionTable,
  type Provider,
  type ProviderReport,
  type ProviderTask,
  sharedRoom,
} from '@genmount/core'
import type { TellProgress } from './tell-progress.ts'

/** The final report on a task. */
export type FinishedReport = Extract<ProviderReport, Record<'state', 'succeeded' | 'failed'>>

/** What a provider that makes media in this process has to bring. */
export interface LocalTasksOptions {
  /**
   * Makes what the task asks for. It must depend on the task's input only, so that a lost task can be made again. If it
   * throws, the task fails, and the error goes to the log. The result is ignored after `signal` has aborted. It may
   * call `tell` with the part that is done, from 0 to 1, and with a preview, for the clients that listen to the job.
   */
  readonly make: (task: ProviderTask, signal: AbortSignal, tell: TellProgress) => Promise<FinishedReport>
  /** Frees the resources of `make`. It is called after all calls of `make` have been aborted. */
  readonly close: () => Promise<void>
  /**
   * How many bytes of outputs are kept for further polls. When there are more, the oldest reports are dropped first.
   * @default 134217728 (128 MiB)
   */
  readonly keptBytes?: number | undefined
  /**
   * How long the inputs of all unfinished tasks may be together, in characters: data URIs can be long. An owner that
   * already has unfinished tasks gets more room only if at least as much stays free for the others. A submit that does
   * not fit is answered `refused`, and the service submits it again later.
   * @default 134217728 (128 Mi characters)
   */
  readonly maxInputLength?: number | undefined
}

const table = {
  make: callable<LocalTasksOptions['make']>(),
  close: callable<LocalTasksOptions['close']>(),
  keptBytes: optional(count(0), 128 * 1024 * 1024),
  maxInputLength: optional(count(), 128 * 1024 * 1024),
} satisfies OptionTable<LocalTasksOptions>

/** The methods that are the same for all providers that make media in this process. */
export type LocalTasks = Required<Pick<Provider, 'submit' | 'poll' | 'cancel' | 'dedupesSubmits' | 'close'>>

/**
 * How long a submit waits for its task to finish, in milliseconds. Small tasks finish in that time and need no poll.
 */
const patienceMs = 500

/** After how many milliseconds the service polls an unfinished task again. */
const pollAfterMs = 250

/**
 * How many bytes each report counts in addition to its outputs, so that reports without outputs are eventually dropped
 * as well.
 */
const reportBytes = 1024

/**
 * How many characters each task counts in addition to its input, so that the number of small tasks is limited as well.
 */
const taskLength = 1024

const noRoom = {
  state: 'refused',
  message: 'Too many tasks are waiting for a worker at present.',
  retryAfterMs: 2000,
} as const

const canceled = {
  state: 'failed',
  code: 'provider_failed',
  message: 'The task was canceled.',
  costUsd: 0,
} as const

interface Work {
  /** Removes the task from those under way, and aborts its `make`. */
  readonly end: () => void
  /** Resolves when `make` has settled. It never rejects. */
  readonly settled: Promise<void>
  /** The part that is done, from 0 to 1; `undefined` until `make` reports it. */
  progress: number | undefined
  /** The latest preview that `make` has sent. `undefined` until there is one, and after a report has shown it. */
  preview: JobPreview | undefined
}

/**
 * Runs tasks in this process. A client token stands for one task, however often it is submitted. When this process does
 * not have a task that is polled, because another process had it or its report was dropped, the poll starts the task
 * again.
 * @throws TypeError when an option is wrong
 * @example { name: 'mine', models, ...localTasks({ make, close }) }
 */
export function localTasks(options: LocalTasksOptions): LocalTasks {
  const { make, close, keptBytes, maxInputLength } = checkOptions('localTasks', options, table)
  const inputs = sharedRoom(maxInputLength)
  const underWay = new Map<string, Work>()
  /** The oldest report comes first, because a Map keeps its order. */
  const finished = new Map<string, FinishedReport>()
  let bytes = 0
  let isClosed = false

  /** @returns `undefined` when there is no room for the task's input */
  function begin(task: ProviderTask): Work | undefined {
    const { clientToken, owner = '' } = task
    // A task that is larger than the whole room can start when no other task is under way.
    const length = Math.min(maxInputLength, taskLength + textLength(task.input))
    if (!inputs.fits(length) || !inputs.mayHave(owner, length)) return undefined
    inputs.add(owner, length)
    const abort = new AbortController()
    const end = (): void => {
      underWay.delete(clientToken)
      inputs.add(owner, -length)
      abort.abort()
    }
    const tell: TellProgress = (progress, preview = work.preview) => {
      work.progress = progress
      work.preview = preview
    }
    const settled = make(task, abort.signal, tell)
      .catch(unexpectedFailure)
      .then((report) => {
        // The task was canceled or the provider closed, so the report is not needed.
        if (isClosed || underWay.get(clientToken) !== work) return
        end()
        keep(clientToken, report)
      })
    const work: Work = { end, settled, progress: undefined, preview: undefined }
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
    const work = underWay.get(task.clientToken)
    const { progress, preview } = work ?? {}
    if (work) work.preview = undefined
    return {
      state: 'running',
      handle: task.clientToken,
      pollAfterMs,
      ...(progress !== undefined && { progress }),
      ...(preview && { preview }),
    }
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
      // Otherwise the poll that follows a cancel would start the task again.
      if (!finished.has(clientToken)) keep(clientToken, canceled)
    },
    async close() {
      isClosed = true
      for (const { end } of underWay.values()) end()
      finished.clear()
      await close()
    },
  }
}

/**
 * The owner of the task reads only this message. The error itself goes to the log, because it may name files of this
 * machine.
 */
function unexpectedFailure(cause: unknown): FinishedReport {
  const report = {
    state: 'failed',
    code: 'provider_failed',
    message: 'The work on this job failed unexpectedly.',
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

/** Waits until the work settles, `patienceMs` are over, or `signal` aborts. */
async function settledSoon({ settled }: Work, signal: AbortSignal): Promise<void> {
  const over = new AbortController()
  const patience = delay(patienceMs, undefined, { signal: AbortSignal.any([signal, over.signal]) })
  await Promise.race([settled, patience.catch(() => {})])
  over.abort()
}
