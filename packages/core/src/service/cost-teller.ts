import type { Job } from '../contracts/job.ts'
import type { Log } from '../contracts/log.ts'
import type { Model } from '../contracts/provider.ts'

/** Tells the log, once for each model, that nobody knows what its jobs cost. */
export interface CostTeller {
  /** Tells of the models whose providers say that they do not know it. */
  started(models: readonly Model[]): void
  /** Tells of the job's model, if the job has completed and its provider has not said what it cost. */
  ended(job: Job): void
}

/** Makes the teller of one service. */
export function costTeller(log: Log): CostTeller {
  const told = new Set<string>()

  function tell(model: string, provider?: string): void {
    if (told.has(model)) return
    told.add(model)
    log.warn(
      `Nobody knows what jobs of model ${model} cost: they show cost_usd 0. Set a price for the model, or have its provider report costUsd.`,
      { model, provider },
    )
  }

  return {
    started(models) {
      for (const { id, isCostKnown } of models) if (isCostKnown === false) tell(id)
    },
    ended({ phase, isCostKnown, model, provider }) {
      if (phase === 'completed' && !isCostKnown) tell(model, provider)
    },
  }
}
