import type { Job } from '../contracts/job.ts'
import type { JsonObject } from '../contracts/json.ts'
import type { Provider } from '../contracts/provider.ts'
import type { Output } from '../contracts/provider-report.ts'
import type { PluginHost } from '../contracts/plugin/plugin-host.ts'
import type { OutputObjection } from '../contracts/plugin/output-change.ts'
import type { SubmitInput } from '../contracts/plugin/plugin-inputs.ts'
import type { NextSubmit, Reservation } from '../contracts/plugin/service-plugin.ts'
import { GenerationError } from '../errors/generation-error.ts'
import type { JobEvent } from '../job/job-event.ts'
import { persist } from '../pacing/persist.ts'
import { jsonCopy } from '../text/json-values.ts'
import { type AttachedPlugin, having } from './attached-plugins.ts'
import {
  checkAwaited,
  checkInput,
  checkObjection,
  checkReservation,
  checkSubmitInput,
  checkUrl,
} from './check-answers.ts'
import { answerOf, attempt, tellFault } from './plugin-fault.ts'
import type { Check } from '../errors/check-option.ts'

/** How long a plugin may take to say whether something is awaited, in milliseconds. */
const awaitsLimitMs = 10_000
/** How long a plugin may take to make the input for a submit, in milliseconds: it may read large files. */
const submitInputLimitMs = 5 * 60_000
/** How long a plugin may take to make the input for a task that the provider has, in milliseconds. */
const taskInputLimitMs = 10_000
/** How long one call of a plugin that checks outputs may take, in milliseconds. */
const checkLimitMs = 15 * 60_000
/** For how long to repeat a check that fails, at least, in milliseconds: the outputs are paid for. */
const leastCheckingMs = 60_000

/** How long a plugin may take to make the URL of a callback, in milliseconds. */
const urlLimitMs = 10_000

/** How long a plugin may take to reserve what a submit costs, in milliseconds. */
const reserveLimitMs = 10_000

/** The plugins of a service as the steps of its jobs call them. */
export interface StepCalls {
  /**
   * What the job must reserve before a submit: see `PluginHooks.reserve`. Never rejects.
   * @returns a `GenerationError` when the submit is refused; another error when it is to be tried later
   */
  reserve(submit: NextSubmit): Promise<Reservation | Error | undefined> | undefined
  /** See `PluginHooks.awaitsInput`. Never rejects. @returns `undefined` when no plugin awaits anything */
  awaitsInput(job: Job): Promise<number | undefined> | undefined
  /** The input for a submit of the job: see `PluginHooks.submitInput`. Never rejects. */
  submitInput(job: Job): SubmitInput | Promise<SubmitInput>
  /** See `PluginHooks.taskInput`. */
  taskInput(input: JsonObject): JsonObject | Promise<JsonObject>
  /** Whether a plugin takes callbacks of vendors. */
  readonly takesCallbacks: boolean
  /** The URL at which the vendor may call back for the job. Never rejects. @returns `undefined` when there is none */
  callbackUrlOf(job: Job, provider: Provider): Promise<string | undefined> | undefined
  /** See `VendorCallbacks.arriveFrom`. Never throws. */
  callbacksArrive(provider: string): boolean
  /** @returns the event that ends the step without the outputs; `undefined` when they may be stored */
  checkOutputs(job: Job, outputs: readonly Output[]): Promise<JobEvent | undefined> | undefined
}

export function stepCalls(
  plugins: readonly AttachedPlugin[],
  { clock, log, givingUp }: Pick<PluginHost, 'clock' | 'givingUp' | 'log'>,
): StepCalls {
  const awaiting = having(plugins, 'awaitsInput')
  const submitting = having(plugins, 'submitInput')
  const showing = having(plugins, 'taskInput')
  const checking = having(plugins, 'checkOutputs')
  const [callbacks] = having(plugins, 'vendorCallbacks')
  const [reserving] = having(plugins, 'reserve')

  async function reserved(
    { name, call }: NonNullable<typeof reserving>,
    submit: NextSubmit,
  ): Promise<Reservation | Error | undefined> {
    const question = {
      name,
      moment: 'reserve',
      limitMs: reserveLimitMs,
      check: checkReservation,
      cut: givingUp,
    }
    return answerOf(clock, question, () => call(submit)).catch((fault: unknown) => {
      if (fault instanceof GenerationError && fault.code === 'insufficient_quota') return fault
      if (!givingUp.hasEnded) tellFault(log, { name, moment: 'reserve', job: submit.job }, fault)
      return new Error('Nothing is reserved.', { cause: fault })
    })
  }

  async function awaited(job: Job): Promise<number | undefined> {
    for (const { name, call } of awaiting) {
      const question = {
        name,
        moment: 'awaitsInput',
        limitMs: awaitsLimitMs,
        check: checkAwaited,
        cut: givingUp,
      }
      try {
        const until = await answerOf(clock, question, () => call(job))
        if (until !== undefined) return until
      } catch (fault) {
        if (!givingUp.hasEnded) tellFault(log, { name, moment: 'awaitsInput', job }, fault)
      }
    }
    return undefined
  }

  /** Asks one plugin for the input of a submit. An input that it makes after its time is let go. */
  async function oneInput(
    { name, call }: (typeof submitting)[number],
    job: Job,
    input: JsonObject,
  ): Promise<SubmitInput | undefined> {
    let isOver = false
    const check: Check<SubmitInput | undefined> = (at, value) => {
      const made = checkSubmitInput(at, value)
      if (!made || !('input' in made)) return made
      const letGo = () => attempt(log, { name, moment: 'letGo', job }, made.letGo)
      if (isOver) letGo()
      return { input: made.input, letGo }
    }
    try {
      const question = { name, moment: 'submitInput', limitMs: submitInputLimitMs, check, cut: givingUp }
      return await answerOf(clock, question, () => call(job, jsonCopy(input) as JsonObject))
    } catch (fault) {
      isOver = true
      if (!givingUp.hasEnded) tellFault(log, { name, moment: 'submitInput', job }, fault)
      return { later: { why: 'files' } }
    }
  }

  async function replaced(job: Job): Promise<SubmitInput> {
    let input = job.input ?? {}
    const releases: (() => void)[] = []
    const letGo = () => {
      for (const release of releases.splice(0)) release()
    }
    for (const plugin of submitting) {
      const next = await oneInput(plugin, job, input)
      if (!next) continue
      if (!('input' in next)) {
        letGo()
        return next
      }
      input = next.input
      releases.push(next.letGo)
    }
    return { input, letGo }
  }

  async function taskInputOf(stored: JsonObject): Promise<JsonObject> {
    let input = stored
    for (const { name, call } of showing) {
      const before = input
      const question = { name, moment: 'taskInput', limitMs: taskInputLimitMs, check: checkInput }
      try {
        input = await answerOf(clock, question, () => call(jsonCopy(before) as JsonObject))
      } catch (fault) {
        tellFault(log, { name, moment: 'taskInput', job: undefined }, fault)
        return stored
      }
    }
    return input
  }

  async function callbackUrl(
    { name, call }: NonNullable<typeof callbacks>,
    job: Job,
    provider: Provider,
  ): Promise<string | undefined> {
    const question = { name, moment: 'urlOf', limitMs: urlLimitMs, check: checkUrl, cut: givingUp }
    return answerOf(clock, question, () => call.urlOf(job, provider)).catch((fault: unknown) => {
      if (!givingUp.hasEnded) tellFault(log, { name, moment: 'urlOf', job }, fault)
      return undefined
    })
  }

  function arrive(provider: string): boolean {
    try {
      return callbacks?.call.arriveFrom(provider) === true
    } catch (fault) {
      tellFault(log, { name: callbacks?.name ?? '', moment: 'arriveFrom', job: undefined }, fault)
      return false
    }
  }

  async function checked(job: Job, outputs: readonly Output[]): Promise<JobEvent | undefined> {
    for (const { name, call } of checking) {
      const question = {
        name,
        moment: 'checkOutputs',
        limitMs: checkLimitMs,
        check: checkObjection,
        cut: givingUp,
      }
      const copies = () => outputs.map((output) => ({ ...output }))
      const check = () =>
        answerOf(clock, question, () => call(job, copies())).catch((fault: unknown) => {
          if (!givingUp.hasEnded) tellFault(log, { name, moment: 'checkOutputs', job }, fault)
          throw fault
        })
      const forMs = Math.max(leastCheckingMs, job.deadlineAt - clock.now())
      // If the check fails to the end, nobody may read the outputs.
      const objection = await persist(check, { clock, givingUp, forMs }).catch(() => withheld)
      if (givingUp.hasEnded && objection === withheld) return { type: 'interrupted' }
      if (objection) return { type: 'failed', code: objection.code, message: objection.message }
    }
    return undefined
  }

  return {
    reserve: (submit) =>
      reserving && submit.job.reservedUsd !== undefined ? reserved(reserving, submit) : undefined,
    awaitsInput: (job) => (awaiting.length === 0 ? undefined : awaited(job)),
    submitInput: (job) => (submitting.length === 0 ? { input: job.input ?? {}, letGo() {} } : replaced(job)),
    taskInput: (input) => (showing.length === 0 ? input : taskInputOf(input)),
    takesCallbacks: callbacks !== undefined,
    callbackUrlOf: (job, provider) => callbacks && callbackUrl(callbacks, job, provider),
    callbacksArrive: arrive,
    checkOutputs: (job, outputs) => (checking.length === 0 ? undefined : checked(job, outputs)),
  }
}

const withheld: OutputObjection = {
  code: 'service_failed',
  message: 'The outputs could not be checked, so they are withheld.',
}
