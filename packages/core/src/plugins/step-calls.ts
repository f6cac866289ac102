import type { Job } from '../contracts/job.ts'
import type { JsonObject } from '../contracts/json.ts'
import type { Output } from '../contracts/provider-report.ts'
import type { OutputObjection, PluginHost, SubmitInput } from '../contracts/service-plugin.ts'
import type { JobEvent } from '../job/job-event.ts'
import { fieldsOf, whose } from '../job/whose.ts'
import { persist } from '../pacing/persist.ts'
import { withinLimit } from '../pacing/within-limit.ts'
import { shortText } from '../text/short-text.ts'
import type { AttachedPlugin } from './attached-plugins.ts'
import { having } from './create-calls.ts'

/** How long one call of a plugin that checks outputs may take, in milliseconds. */
const checkLimitMs = 15 * 60_000
/** For how long to repeat a check that fails, at least, in milliseconds: the outputs are paid for. */
const leastCheckingMs = 60_000

/** The plugins of a service as the steps of its jobs call them. */
export interface StepCalls {
  /** The input for a submit of the job: see `PluginHooks.submitInput`. Never rejects. */
  submitInput(job: Job): SubmitInput | Promise<SubmitInput>
  /** See `PluginHooks.taskInput`. */
  taskInput(input: JsonObject): JsonObject | Promise<JsonObject>
  /** @returns the event that ends the step without the outputs; `undefined` when they may be stored */
  checkOutputs(job: Job, outputs: readonly Output[]): Promise<JobEvent | undefined>
}

/** Makes the calls of the plugins for steps. */
export function stepCalls(
  plugins: readonly AttachedPlugin[],
  { clock, log, givingUp }: Pick<PluginHost, 'clock' | 'givingUp' | 'log'>,
): StepCalls {
  const submitting = having(plugins, 'submitInput')
  const showing = having(plugins, 'taskInput')
  const checking = having(plugins, 'checkOutputs')

  function tell(name: string, moment: string, job: Job, fault: unknown): void {
    log.error(`The plugin ${name} has failed at ${moment} of ${whose(job)}: ${shortText(fault)}`, {
      ...fieldsOf(job),
      cause: fault,
    })
  }

  async function replaced(job: Job): Promise<SubmitInput> {
    let input = job.task ?? {}
    const releases: (() => void)[] = []
    const letGo = () => {
      for (const release of releases.splice(0)) release()
    }
    for (const { name, call } of submitting) {
      const next = await (async () => call(job, input))().catch((fault: unknown) => {
        tell(name, 'submitInput', job, fault)
        return { later: { why: 'files' } } as const
      })
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

  async function shown(stored: JsonObject): Promise<JsonObject> {
    let input = stored
    for (const { call } of showing) input = await call(input)
    return input
  }

  return {
    submitInput: (job) => (submitting.length === 0 ? { input: job.task ?? {}, letGo() {} } : replaced(job)),
    taskInput: (input) => (showing.length === 0 ? input : shown(input)),
    async checkOutputs(job, outputs) {
      for (const { name, call } of checking) {
        const check = () =>
          withinLimit(clock, checkLimitMs, `plugin ${name}`, () => call(job, outputs), givingUp).catch(
            (fault: unknown) => {
              if (!givingUp.hasEnded) tell(name, 'checkOutputs', job, fault)
              throw fault
            },
          )
        const forMs = Math.max(leastCheckingMs, job.deadlineAt - clock.now())
        // If the check fails to the end, nobody may read the outputs.
        const objection = await persist(check, { clock, givingUp, forMs }).catch(() => withheld)
        if (givingUp.hasEnded && objection === withheld) return { type: 'interrupted' }
        if (objection) return { type: 'failed', code: objection.code, message: objection.message }
      }
      return undefined
    },
  }
}

const withheld: OutputObjection = {
  code: 'service_failed',
  message: 'The outputs could not be checked, so they are withheld.',
}
