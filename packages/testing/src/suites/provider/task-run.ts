import assert from 'node:assert/strict'
import {
  duration,
  type JsonObject,
  type Model,
  type Provider,
  type ProviderReport,
  type ProviderTask,
  type RunningTask,
} from '@genmount/core'
import type { Case } from '../suite.ts'
import { checkReport } from './check-report.ts'
import type {
  HostedProviderSubject,
  ProviderSubject,
  ProviderSuiteOptions,
  Sample,
} from './provider-subject.ts'

export interface ProviderTrial extends ProviderSuiteOptions {
  readonly provider: Provider
  readonly reconnect?: (() => Provider | Promise<Provider>) | undefined
  /** Absent for a provider whose requests can't be made to fail. */
  readonly hosted?: HostedProviderSubject | undefined
  readonly sample: Sample
}

export type ProviderCases = Readonly<Record<string, (trial: ProviderTrial) => Promise<void>>>

/** Runs a case, and closes the providers that were made for it. */
export async function runTrial(
  subject: ProviderSubject,
  sample: Sample,
  run: Case<ProviderTrial>,
): Promise<string | void> {
  for (const name of ['finishWithinMs', 'settleWithinMs', 'lateAnswerMs'] as const) {
    const ms = (subject as Partial<HostedProviderSubject>)[name]
    if (ms !== undefined) duration()(name, ms)
  }
  if (!('vendor' in subject)) return run({ ...subject, sample })
  const made: Provider[] = []
  const connect = (baseUrl: string) => {
    const provider = subject.provider(baseUrl)
    made.push(provider)
    return provider
  }
  const reconnect = () => connect(subject.vendor)
  try {
    return await run({
      ...subject,
      provider: reconnect(),
      reconnect,
      hosted: { ...subject, provider: connect },
      sample,
    })
  } finally {
    await Promise.all(made.map((provider) => provider.close?.()))
  }
}

/** The `call` argument of a call that is never aborted. */
export const untroubled = () => ({ signal: new AbortController().signal })

export function modelOf({ provider, sample }: ProviderTrial): Model {
  const model = provider.models.find(({ id }) => id === sample.model)
  assert.ok(model, `the provider has no model ${sample.model}`)
  return model
}

/** The URL for the callbacks of a task. Anyone who knows it can send callbacks. */
export const callbackUrlOf = ({ clientToken }: ProviderTask): string =>
  `https://app.test/v1/callbacks/${clientToken}`

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
  const until = now(trial) + (trial.finishWithinMs ?? 60_000)
  let task = running
  while (now(trial) <= until) {
    const report = checkReport(await provider.poll(task, untroubled()))
    if (report.state === 'succeeded' || report.state === 'failed') return report
    if (report.state === 'running') task = runningTask(task, report) ?? task
    if (report.state === 'unknown') await pass(trial, 100)
    else await pass(trial, (report.state === 'running' ? report.pollAfterMs : report.retryAfterMs) ?? 100)
  }
  return assert.fail('the sample did not finish in time')
}

/**
 * Resolves with the outcome of a call whose signal was aborted, a value or an error. Rejects if the call does not
 * return within `settleWithinMs`.
 */
export async function settledSoon<T>(
  { settleWithinMs = 2_000 }: ProviderTrial,
  call: Promise<T>,
): Promise<PromiseSettledResult<T>> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(
      () => reject(new Error(`the call has not returned within ${settleWithinMs} ms`)),
      settleWithinMs,
    )
  })
  try {
    const [outcome] = await Promise.race([Promise.allSettled([call]), late])
    return outcome
  } finally {
    clearTimeout(timer)
  }
}

/** The present instant by the vendor's clock, in milliseconds since the Unix epoch. */
export const now = ({ clock }: ProviderTrial): number => clock?.now() ?? Date.now()

/** Lets time pass, by the vendor's clock. */
export async function pass({ clock }: ProviderTrial, ms: number): Promise<void> {
  if (clock) await clock.advance(ms)
  else await new Promise((resolve) => setTimeout(resolve, ms))
}

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null) Object.values(Object.freeze(value)).forEach(deepFreeze)
  return value
}
