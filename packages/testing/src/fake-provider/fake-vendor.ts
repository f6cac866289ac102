import type { CallbackRequest, Clock, Json, Model, ProviderReport, ProviderTask } from '@genmount/core'
import type { FakeBehaviour, FakeFault } from './fake-behaviour.ts'
import { readSignedCallback, signCallback } from './fake-callback.ts'
import { fakeFile } from './fake-file.ts'

/** A task that the vendor has accepted. */
export interface LedgerEntry {
  /** The client token of the submit. */
  readonly clientToken: string
  /** The job that the task belongs to. */
  readonly jobId: string
  /** The model of the task. */
  readonly model: string
  /** When the vendor accepted the task, in milliseconds since the Unix epoch. */
  readonly at: number
  /** What the task costs, in US dollars. */
  readonly costUsd: number
}

/** The options of `fakeVendor`, see `FakeProviderOptions`. */
export interface FakeVendorOptions {
  readonly models: readonly Model[]
  readonly clock: Clock
  readonly dedupesSubmits: boolean
  readonly sendCallback: ((jobId: string, request: CallbackRequest) => unknown) | undefined
}

/** A task at the vendor. */
export interface VendorTask {
  readonly handle: Json
  report(): ProviderReport
  /** Whether a search by the client token already finds the task. */
  isListed(): boolean
  /** How the next poll fails, or `undefined` if it succeeds. Each call counts as one poll. */
  nextPollFault(): FakeFault | undefined
  cancel(): void
}

/** The vendor behind the fake provider: it accepts tasks, charges for them and knows their state. */
export interface FakeVendor {
  readonly ledger: readonly LedgerEntry[]
  accept(task: ProviderTask, behaviour: FakeBehaviour): VendorTask
  byHandle(handle: Json): VendorTask | undefined
  byClientToken(clientToken: string): VendorTask | undefined
  callbackFor(jobId: string): CallbackRequest
  readCallback(request: CallbackRequest): Json
}

export function fakeVendor(options: FakeVendorOptions): FakeVendor {
  const { models, clock, dedupesSubmits, sendCallback } = options
  const secret = crypto.randomUUID()
  const ledger: LedgerEntry[] = []
  const tasks: VendorTask[] = []
  const byHandleText = new Map<string, VendorTask>()

  function latest(isWanted: (entry: LedgerEntry) => boolean): VendorTask | undefined {
    return tasks[ledger.findLastIndex(isWanted)]
  }

  function byClientToken(clientToken: string): VendorTask | undefined {
    return latest((entry) => entry.clientToken === clientToken)
  }

  function callbackFor(jobId: string): CallbackRequest {
    const task = latest((entry) => entry.jobId === jobId)
    if (!task) throw new Error(`The vendor has accepted no task of job ${jobId}.`)
    return signCallback(secret, { handle: task.handle, at: clock.now() })
  }

  function accept(task: ProviderTask, behaviour: FakeBehaviour): VendorTask {
    const twin = dedupesSubmits ? byClientToken(task.clientToken) : undefined
    if (twin) return twin
    const { jobId, clientToken, model } = task
    const at = clock.now()
    // The run time is measured by `uptime`, because the vendor's time does not change when a test sets the
    // clock.
    const takenOnAt = clock.uptime()
    const handle = { fakeTask: tasks.length + 1 }
    const {
      outputs = filesFor(task, models),
      delayMs = 0,
      failure,
      inferenceMs = delayMs,
      tokens,
      pollAfterMs,
      news,
    } = behaviour
    const { costUsd = failure ? 0 : outputs.length / 100, poll } = behaviour
    let polls = 0
    let isCanceled = false

    const accepted: VendorTask = {
      handle,
      report() {
        if (isCanceled) return { state: 'failed', code: 'provider_failed', message: 'Canceled.', costUsd }
        if (clock.uptime() < takenOnAt + delayMs || (behaviour.delayMs === 0 && polls === 0)) {
          return { state: 'running', handle, ...(pollAfterMs !== undefined && { pollAfterMs }), ...news }
        }
        if (failure) return { state: 'failed', message: 'The fake was told to fail.', ...failure, costUsd }
        return { state: 'succeeded', outputs, costUsd, inferenceMs, ...(tokens && { tokens }) }
      },
      isListed: () => clock.uptime() >= takenOnAt + (behaviour.listedAfterMs ?? 0),
      nextPollFault() {
        const index = polls++
        return isList(poll) ? poll[index] : poll
      },
      cancel: () => void (isCanceled = true),
    }
    tasks.push(accepted)
    byHandleText.set(JSON.stringify(handle), accepted)
    ledger.push({ clientToken, jobId, model, at, costUsd })
    if (sendCallback) clock.after(delayMs, () => void sendCallback(jobId, callbackFor(jobId)))
    return accepted
  }

  return {
    ledger,
    accept,
    byHandle: (handle) => byHandleText.get(JSON.stringify(handle)),
    byClientToken,
    callbackFor,
    readCallback: (request) => readSignedCallback(secret, request, clock),
  }
}

function filesFor(task: ProviderTask, models: readonly Model[]) {
  const kind = models.find((model) => model.id === task.model)?.outputKind ?? 'image'
  const count = typeof task.input['num_outputs'] === 'number' ? task.input['num_outputs'] : 1
  return Array.from({ length: count }, (_, index) => fakeFile(kind, index))
}

function isList(faults: FakeBehaviour['poll']): faults is readonly FakeFault[] {
  return Array.isArray(faults)
}
