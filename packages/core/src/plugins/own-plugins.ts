import type { Job, JobTransition } from '../contracts/job.ts'
import type { Log } from '../contracts/log.ts'
import type { NewJob, ServicePlugin, PluginHooks } from '../contracts/plugin/service-plugin.ts'
import { hasJustEnded } from '../job/job-state.ts'
import { dayMs } from '../ledger/usage-counts.ts'
import type { Model } from '../contracts/provider.ts'
import { endWarning } from '../routing/model-end.ts'
import { appName, attempt } from './plugin-fault.ts'

/** The app's functions among the options of a service. */
interface AppFunctions {
  readonly admit?: ((create: NewJob) => void | Promise<void>) | undefined
  readonly onJobEnd?: ((job: Job) => void | Promise<void>) | undefined
  readonly onTransition?: ((transition: JobTransition) => void | Promise<void>) | undefined
}

/** The plugin that calls the app's functions. It comes before all others. */
export function appPlugin({ admit, onJobEnd, onTransition }: AppFunctions): ServicePlugin {
  return {
    name: appName,
    attach: ({ log }) => ({
      // What the app's function returns means nothing.
      admit:
        admit &&
        (async (create) => {
          await admit(create)
        }),
      wrote:
        (onJobEnd ?? onTransition) &&
        ((job, before) => {
          if (onTransition && job.phase !== before?.phase)
            attempt(log, { name: appName, moment: 'onTransition', job }, () =>
              onTransition(transitionOf(job, before)),
            )
          if (onJobEnd && hasJustEnded(job, before))
            attempt(log, { name: appName, moment: 'onJobEnd', job }, () => onJobEnd(job))
        }),
    }),
  }
}

function transitionOf(job: Job, before: Job | undefined): JobTransition {
  const at = job.updatedAt ?? job.createdAt
  return { id: `${job.id}/${job.revision}`, ...(before && { from: before.phase }), to: job.phase, at, job }
}

/** Warns about models that their vendors have ended or will end soon, when the service starts and once a day after. */
export const endWarnings: ServicePlugin = {
  name: 'ending models',
  attach: ({ log, models, clock }) => ({
    sweep: {
      what: 'ending models',
      async look() {
        for (const model of models) {
          const message = endWarning(model, clock.now())
          if (message !== undefined) log.warn(message, { model: model.id })
        }
        return dayMs
      },
    },
  }),
}

/** Warns about unknown costs when the service starts and when a job completes, once for each model and reason. */
export const costWarnings: ServicePlugin = {
  name: 'cost warnings',
  attach: ({ log, models }) => warnings(log, models),
}

function warnings(log: Log, models: readonly Model[]): PluginHooks {
  const warned = new Set<string>()
  const isPriced = new Set<string>()

  function once(key: string, message: string, model: string, provider?: string): void {
    if (warned.has(key)) return
    warned.add(key)
    log.warn(message, { model, provider })
  }

  function tell(model: string, provider?: string): void {
    const message = `The cost of jobs of model ${model} is unknown: they show cost_usd 0. Set a price for the model, or let its provider report costUsd.`
    once(model, message, model, provider)
  }

  return {
    started() {
      for (const { id, isCostKnown, unpricedInputs } of models) {
        if (isCostKnown === false) tell(id)
        else if (isCostKnown) isPriced.add(id)
        if (unpricedInputs === undefined) continue
        const message = `The price of model ${id} has no amount for some inputs (${unpricedInputs}): jobs with them show cost_usd 0. Add amounts, or let a function calculate the price.`
        once(`${id}\nunpriced`, message, id)
      }
    },
    wrote(job, before) {
      const { id, phase, isCostKnown, model, provider } = job
      if (phase !== 'completed' || isCostKnown || !hasJustEnded(job, before)) return
      if (!isPriced.has(model)) return tell(model, provider)
      const message = `Job ${id} has completed, and the price of model ${model} gives no cost for it: it shows cost_usd 0.`
      once(model, message, model, provider)
    },
  }
}
