import assert from 'node:assert/strict'
import type {
  Json,
  JsonObject,
  Model,
  Provider,
  ProviderReport,
  ProviderTask,
  RunningTask,
} from '@genmount/core'
import type { ManualClock } from '../../clock/manual-clock.ts'
import type { Subject } from '../suite.ts'
import { checkReport } from './check-report.ts'

export interface ProviderSubject extends Subject {
  /** The provider that is tested. */
  readonly provider: Provider
  /**
   * Makes another provider for the same vendor, as a restarted process does. @default the same provider is
   * used
   */
  readonly reconnect?: () => Provider | Promise<Provider>
  /** The clock of the vendor. @default the clock of the host, so the cases take real time */
  readonly clock?: ManualClock
  /**
   * A handle in the form that the provider uses, of a task that the vendor does not know.
   * @default the case about an unknown task is left out
   */
  readonly unknownHandle?: Json
  /**
   * Makes a provider that lacks what it needs on this machine.
   * @default the case about it passes without testing anything
   */
  readonly unusable?: () => Provider | Promise<Provider>
  /** How long a sample may take, in milliseconds. @default 60000 */
  readonly finishWithinMs?: number
  /** Fetches an output that the provider reports as a URL. @default the `fetch` of the runtime */
  readonly fetch?: (url: string) => Promise<Response>
}

/** A valid input of a model. */
export interface Sample {
  /** The id of the model. */
  readonly model: string
  /** The input, without the field `model`. */
  readonly input: JsonObject
}

export interface ProviderTrial extends ProviderSubject {
  readonly sample: Sample
}

export type ProviderCases = Readonly<Record<string, (trial: ProviderTrial) => Promise<void>>>

/** How long a call may take to return after its signal was aborted, in milliseconds of real time. */
const promptlyMs = 2_000

/** The `call` argument of a call that nobody aborts. */
export const untroubled = () => ({ signal: new AbortController().signal })

export function modelOf({ provider, sample }: ProviderTrial): Model {
  const model = provider.models.find(({ id }) => id === sample.model)
  assert.ok(model, `the provider has no model ${sample.model}`)
  return model
}

/** The sample as the service would submit it: validated, as JSON, and frozen. */
export async function taskOf(trial: ProviderTrial, clientToken = crypto.randomUUID()): Promise<ProviderTask> {
  const result = await modelOf(trial).input['~standard'].validate(trial.sample.input)
  assert.ok(
    !result.issues,
    `the sample is refused: ${result.issues?.map(({ message }) => message).join('; ')}`,
  )
  const input = JSON.parse(JSON.stringify(result.value)) as JsonObject
  const jobId = `job of ${clientToken}`
  return deepFreeze({ jobId, model: trial.sample.model, input, clientToken, owner: 'mark of an owner' })
}

/** Submits a task, and submits it again while the vendor refuses it, up to 10 times. */
export async function submit(
  trial: ProviderTrial,
  task: ProviderTask,
  { provider = trial.provider, callbackUrl }: { provider?: Provider | undefined; callbackUrl?: string } = {},
) {
  const call = { ...untroubled(), callbackUrl }
  let report = checkReport(await provider.submit(task, call))
  for (let refusals = 0; report.state === 'refused' && refusals < 10; refusals++) {
    await pass(trial, report.retryAfterMs ?? 1_000)
    report = checkReport(await provider.submit(task, call))
  }
  return report
}

/** The task of a running report, as another process would poll it after reading it from the store as JSON. */
export function runningTask(task: ProviderTask, report: ProviderReport): RunningTask | undefined {
  if (report.state !== 'running') return undefined
  return deepFreeze(JSON.parse(JSON.stringify({ ...task, handle: report.handle })) as RunningTask)
}

/** Polls a task until it has finished, never sooner than the provider asks for. */
export async function finish(trial: ProviderTrial, running: RunningTask, provider = trial.provider) {
  const now = () => trial.clock?.now() ?? Date.now()
  const until = now() + (trial.finishWithinMs ?? 60_000)
  let task = running
  while (now() <= until) {
    const report = checkReport(await provider.poll(task, untroubled()))
    if (report.state === 'succeeded' || report.state === 'failed') return report
    if (report.state === 'running') task = runningTask(task, report) ?? task
    if (report.state === 'unknown') await pass(trial, 100)
    else await pass(trial, (report.state === 'running' ? report.pollAfterMs : report.retryAfterMs) ?? 100)
  }
  return assert.fail('the sample did not finish in time')
}

/**
 * Resolves with the outcome of a call, a value or an error. Rejects if the call has not returned within 2 s
 * of real time.
 */
export async function settledSoon<T>(call: Promise<T>): Promise<PromiseSettledResult<T>> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(
      () => reject(new Error(`the call has not returned within ${promptlyMs} ms`)),
      promptlyMs,
    )
  })
  try {
    const [outcome] = await Promise.race([Promise.allSettled([call]), late])
    return outcome
  } finally {
    clearTimeout(timer)
  }
}

async function pass({ clock }: ProviderTrial, ms: number): Promise<void> {
  if (clock) await clock.advance(ms)
  else await new Promise((resolve) => setTimeout(resolve, ms))
}

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null) Object.values(Object.freeze(value)).forEach(deepFreeze)
  return value
}
