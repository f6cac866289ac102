import {
  accepts,
  callable,
  checkClock,
  checkOptions,
  count,
  flag,
  optional,
  type OptionTable,
  systemClock,
  text,
} from '@genmount/core'
import type {
  CallbackRequest,
  Clock,
  Model,
  Provider,
  ProviderCall,
  ProviderReport,
  ProviderTask,
  RunningTask,
} from '@genmount/core'
import type { FakeBehaviour, FakeScript } from './fake-behaviour.ts'
import { lost } from './fake-behaviour.ts'
import { strike, whenAborted } from './fake-fault.ts'
import { behaveAsAsked, fakeModels } from './fake-models.ts'
import { fakeVendor, type LedgerEntry } from './fake-vendor.ts'

/** The options of `fakeProvider`. */
export interface FakeProviderOptions {
  /** The name of the provider. @default 'fake' */
  readonly name?: string
  /**
   * The models of the provider. @default `fakeModels`: `fake-image` and `fake-video`, whose input is a
   * `FakeInput`
   */
  readonly models?: readonly Model[]
  /**
   * Decides what happens to each submit.
   * @default the behaviour that the input of the task asks for, see `FakeInput`
   */
  readonly behave?: FakeScript
  /** How long each call takes, in milliseconds of the clock. @default 0 */
  readonly latencyMs?: number
  /**
   * Whether the vendor knows client tokens: a second submit with the same token returns the first task.
   * @default false
   */
  readonly dedupesSubmits?: boolean
  /**
   * Whether the vendor can find a task by its client token. With `'list'` it only has a list that may be out
   * of date: for a task that is not in the list the provider reports `unknown`, because the vendor may still
   * have accepted it.
   * @default false
   */
  readonly find?: boolean | 'list'
  /** Whether tasks can be canceled. @default false */
  readonly cancel?: boolean
  /**
   * Called with the vendor's signed callback when a task has finished. Deliver it for example to
   * `service.receiveCallback`.
   * @default the vendor sends no callbacks, and the provider has no `readCallback`
   */
  readonly sendCallback?: (jobId: string, request: CallbackRequest) => unknown
  /** The clock of the vendor. @default `systemClock()` */
  readonly clock?: Clock
}

const table = {
  name: optional(text(), 'fake'),
  models: optional(accepts<readonly Model[]>('a list of models', Array.isArray), fakeModels),
  behave: optional(
    accepts<FakeScript>(
      'a function or a list of behaviours',
      (script) => typeof script === 'function' || Array.isArray(script),
    ),
    behaveAsAsked,
  ),
  latencyMs: optional(count(0), 0),
  dedupesSubmits: optional(flag, false),
  find: optional(
    accepts<boolean | 'list'>("true, false or 'list'", (find) =>
      [true, false, 'list'].includes(find as never),
    ),
  ),
  cancel: optional(flag),
  sendCallback: optional(callable<NonNullable<FakeProviderOptions['sendCallback']>>()),
  clock: optional(checkClock),
} satisfies OptionTable<FakeProviderOptions>

const notListed: ProviderReport = { state: 'unknown', message: 'There is no such task in the list so far.' }

/** A call that the service made to the fake provider. */
export interface FakeCall {
  /** The job that the call was about. */
  readonly jobId: string
  /** When the call was made, in milliseconds since the Unix epoch. */
  readonly at: number
}

/** A provider whose vendor is part of the test's process. It behaves as the test has set and records all calls. */
export interface FakeProvider extends Provider {
  /** The tasks that the vendor has accepted, in order. These are the tasks that were paid for. */
  readonly ledger: readonly LedgerEntry[]
  /** All submits in order, paid or not. */
  readonly submits: readonly FakeCall[]
  /** All polls in order. */
  readonly polls: readonly FakeCall[]
  /** All cancels in order. */
  readonly cancels: readonly FakeCall[]
  /**
   * Submits and polls that began while another one for the same job was running. The service promises to make
   * none.
   */
  readonly overlaps: readonly FakeCall[]
  /**
   * Makes the genuine callback that the vendor would send now about the latest task of the job.
   * @throws Error when the vendor has accepted no task of this job
   */
  callbackFor(jobId: string): CallbackRequest
}

/**
 * Makes a provider for tests.
 * @example
 * const provider = fakeProvider({ clock, behave: [{ submit: refused(2_000) }, { delayMs: 5_000 }] })
 * expect(provider.ledger).toHaveLength(1)
 */
export function fakeProvider(options?: FakeProviderOptions): FakeProvider {
  const checked = checkOptions('fakeProvider', options, table)
  const { clock = systemClock(), name, models, behave, latencyMs, dedupesSubmits, sendCallback } = checked
  const vendor = fakeVendor({ models, clock, dedupesSubmits, sendCallback })
  const attempts = new Map<string, number>()
  const busy = new Set<string>()
  const submits: FakeCall[] = []
  const polls: FakeCall[] = []
  const cancels: FakeCall[] = []
  const overlaps: FakeCall[] = []

  function behaviourOf(task: ProviderTask): FakeBehaviour {
    const attempt = (attempts.get(task.clientToken) ?? 0) + 1
    attempts.set(task.clientToken, attempt)
    if (typeof behave === 'function') return behave(task, attempt)
    return behave[Math.min(submits.length, behave.length) - 1] ?? {}
  }

  async function travel({ signal }: ProviderCall): Promise<void> {
    signal.throwIfAborted()
    if (latencyMs > 0) {
      await Promise.race([
        new Promise<void>((resolve) => clock.after(latencyMs, resolve)),
        whenAborted(signal),
      ])
    }
  }

  async function step(
    calls: FakeCall[],
    { jobId }: ProviderTask,
    answer: () => Promise<ProviderReport>,
  ): Promise<ProviderReport> {
    const call = { jobId, at: clock.now() }
    calls.push(call)
    if (busy.has(jobId)) overlaps.push(call)
    busy.add(jobId)
    try {
      return await answer()
    } finally {
      busy.delete(jobId)
    }
  }

  return {
    name,
    models,
    dedupesSubmits,
    ledger: vendor.ledger,
    submits,
    polls,
    cancels,
    overlaps,
    callbackFor: vendor.callbackFor,

    submit: (task, call) =>
      step(submits, task, async () => {
        const behaviour = behaviourOf(task)
        await travel(call)
        if (behaviour.submit) return strike(behaviour.submit, call)
        const accepted = vendor.accept(task, behaviour)
        return behaviour.answer ? strike(behaviour.answer, call) : accepted.report()
      }),

    poll: (task, call) =>
      step(polls, task, async () => {
        await travel(call)
        const vendorTask = vendor.byHandle(task.handle)
        const fault = vendorTask ? vendorTask.nextPollFault() : lost
        return fault || !vendorTask ? strike(fault ?? lost, call) : vendorTask.report()
      }),

    ...(checked.find && {
      find: async (task: ProviderTask, call: ProviderCall) => {
        await travel(call)
        const vendorTask = vendor.byClientToken(task.clientToken)
        if (vendorTask?.isListed()) return vendorTask.report()
        return checked.find === 'list' ? notListed : undefined
      },
    }),

    ...(checked.cancel && {
      cancel: async (task: RunningTask, call: ProviderCall) => {
        cancels.push({ jobId: task.jobId, at: clock.now() })
        await travel(call)
        vendor.byHandle(task.handle)?.cancel()
      },
    }),

    ...(sendCallback && { readCallback: async (request: CallbackRequest) => vendor.readCallback(request) }),
  }
}
