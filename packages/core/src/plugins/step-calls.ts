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

/** How long one call of a plugin may take, in milliseconds. */
const limitsMs = {
  reserve: 10_000,
  awaitsInput: 10_000,
  /** The plugin may read large files. */
  submitInput: 5 * 60_000,
  taskInput: 10_000,
  urlOf: 10_000,
  checkOutputs: 15 * 60_000,
}
/** For how long to repeat a check that fails, at least, in milliseconds: the outputs are paid for. */
const leastCheckingMs = 60_000

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

  /** Asks one plugin. Its fault goes to the log, unless that is only the end of the service, and to the caller. */
  function answerFrom<Answer>(
    name: string,
    moment: keyof typeof limitsMs,
    job: Job | undefined,
    check: Check<Answer>,
    call: () => unknown,
  ): Promise<Answer> {
    const question = { name, moment, limitMs: limitsMs[moment], check, cut: givingUp }
    return answerOf(clock, question, call).catch((fault: unknown) => {
      const isSaid = moment === 'reserve' && isRefusal(fault)
      if (!givingUp.hasEnded && !isSaid) tellFault(log, { name, moment, job }, fault)
      throw fault
    })
  }

  function reserved(
    { name, call }: NonNullable<typeof reserving>,
    submit: NextSubmit,
  ): Promise<Reservation | Error | undefined> {
    return answerFrom(name, 'reserve', submit.job, checkReservation, () => call(submit)).catch(
      (fault: unknown) => (isRefusal(fault) ? fault : new Error('Nothing is reserved.', { cause: fault })),
    )
  }

  async function awaited(job: Job): Promise<number | undefined> {
    for (const { name, call } of awaiting) {
      const asking = answerFrom(name, 'awaitsInput', job, checkAwaited, () => call(job))
      const until = await asking.catch(() => undefined)
      if (until !== undefined) return until
    }
    return undefined
  }

  /** Asks one plugin for the input of a submit. An input that it makes after its time is let go. */
  function oneInput(
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
    const copy = jsonCopy(input) as JsonObject
    return answerFrom(name, 'submitInput', job, check, () => call(job, copy)).catch(() => {
      isOver = true
      return { later: { why: 'files' } }
    })
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
    try {
      for (const { name, call } of showing) {
        const copy = jsonCopy(input) as JsonObject
        input = await answerFrom(name, 'taskInput', undefined, checkInput, () => call(copy))
      }
      return input
    } catch {
      return stored
    }
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
      const copies = () => outputs.map((output) => ({ ...output }))
      const check = () => answerFrom(name, 'checkOutputs', job, checkObjection, () => call(job, copies()))
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
    callbackUrlOf: (job, provider) =>
      callbacks &&
      answerFrom(callbacks.name, 'urlOf', job, checkUrl, () => callbacks.call.urlOf(job, provider)).catch(
        () => undefined,
      ),
    callbacksArrive: arrive,
    checkOutputs: (job, outputs) => (checking.length === 0 ? undefined : checked(job, outputs)),
  }
}

/** Whether a plugin has refused a submit because it would cost too much. */
function isRefusal(fault: unknown): fault is GenerationError {
  return fault instanceof GenerationError && fault.code === 'insufficient_quota'
}

const withheld: OutputObjection = {
  code: 'service_failed',
  message: 'The outputs could not be checked, so they are withheld.',
}
