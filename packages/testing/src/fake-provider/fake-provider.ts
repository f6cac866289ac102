import { systemClock } from '@genmount/core'
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

export interface FakeProviderOptions {
  /** @default 'fake' */
  readonly name?: string
  /** @default `fakeModels`: `fake-image` and `fake-video`, whose input is a `FakeInput` */
  readonly models?: readonly Model[]
  /** What becomes of each submit. @default what the task's input asks for */
  readonly behave?: FakeScript
  /** How long each call takes, in milliseconds of the clock. @default 0 */
  readonly latencyMs?: number
  /** The vendor knows client tokens: a second submit with one is the first task again. @default false */
  readonly dedupesSubmits?: boolean
  /**
   * The vendor can look a client token up. With `'list'` it has but a list that may lag: what is not in it is `unknown`
   * and not promised to have never been taken on. @default false
   */
  readonly find?: boolean | 'list'
  /** Tasks can be stopped. @default false */
  readonly cancel?: boolean
  /**
   * Delivers the vendor's signed callback when a task has finished, for example to `service.receiveCallback`.
   * @default the vendor sends none, and the provider reads none
   */
  readonly sendCallback?: (jobId: string, request: CallbackRequest) => unknown
  /** @default `systemClock()` */
  readonly clock?: Clock
}

const notListed: ProviderReport = { state: 'unknown', message: 'There is no such task in the list so far.' }

/** A call that was made, and when, in milliseconds since the Unix epoch. */
export interface FakeCall {
  readonly jobId: string
  readonly at: number
}

/** A provider whose vendor lives in this process, does what the test says, and keeps books. */
export interface FakeProvider extends Provider {
  /** Every submit that was paid for. */
  readonly ledger: readonly LedgerEntry[]
  /** Every submit, paid or not. */
  readonly submits: readonly FakeCall[]
  readonly polls: readonly FakeCall[]
  readonly cancels: readonly FakeCall[]
  /** Submits and polls made while another was under way for the same job. The service promises that there are none. */
  readonly overlaps: readonly FakeCall[]
  /** The genuine callback that the vendor would send now about the job's latest task. */
  callbackFor(jobId: string): CallbackRequest
}

/**
 * @example
 * const provider = fakeProvider({ clock, behave: [{ submit: refused(2_000) }, { delayMs: 5_000 }] })
 * expect(provider.ledger).toHaveLength(1)
 */
export function fakeProvider(options: FakeProviderOptions = {}): FakeProvider {
  const { clock = systemClock(), behave = behaveAsAsked, models = fakeModels, latencyMs = 0 } = options
  const { dedupesSubmits = false, sendCallback } = options
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
    name: options.name ?? 'fake',
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
        const known = vendor.byHandle(task.handle)
        const fault = known ? known.nextPollFault() : lost
        return fault || !known ? strike(fault ?? lost, call) : known.report()
      }),

    ...(options.find && {
      find: async (task: ProviderTask, call: ProviderCall) => {
        await travel(call)
        const found = vendor.byClientToken(task.clientToken)
        if (found?.isListed()) return found.report()
        return options.find === 'list' ? notListed : undefined
      },
    }),

    ...(options.cancel && {
      cancel: async (task: RunningTask, call: ProviderCall) => {
        cancels.push({ jobId: task.jobId, at: clock.now() })
        await travel(call)
        vendor.byHandle(task.handle)?.cancel()
      },
    }),

    ...(sendCallback && { readCallback: async (request: CallbackRequest) => vendor.readCallback(request) }),
  }
}
