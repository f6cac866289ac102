import type { Clock } from '../contracts/clock.ts'
import type { JsonObject } from '../contracts/json.ts'
import type { Job } from '../contracts/job.ts'
import type { Model } from '../contracts/provider.ts'
import { errorCodes } from '../errors/error-codes.ts'
import { GenerationError } from '../errors/generation-error.ts'
import { shownInput } from '../input/shown-input.ts'
import type { RunningJobs } from '../job/running-jobs.ts'
import type { CreateCalls } from '../plugins/create-calls.ts'
import { priceOf } from '../pricing/expected-usd.ts'
import { lifeOf, type LifeOptions } from './job-life.ts'
import { checkJobRequest, checkLimitHeld, type JobRequest } from './job-request.ts'
import { type RequestContext, requestReader } from './request-reader.ts'

/** What would become of a request, of which nothing is stored or spent. */
export interface JobEstimate {
  /** The model of the request. */
  readonly model: Model
  /** The validated input as the job would show it. */
  readonly shownInput: JsonObject
  /** The metadata of the request. `undefined` without any. */
  readonly metadata: Job['metadata'] | undefined
  /** What the job is expected to cost, in US dollars, by the price of its model. `undefined` when that is not known. */
  readonly costUsd: number | undefined
  /**
   * Why a create would refuse the job now, as far as that is known without moderation. `undefined` when it would be
   * accepted.
   */
  readonly refusal: GenerationError | undefined
  /** What would be left of the owner's budget, in US dollars. `undefined` without a budget, and after a refusal. */
  readonly remainingUsd: number | undefined
}

/** What {@link jobEstimator} works with. */
export interface EstimateContext extends RequestContext {
  readonly plugins: CreateCalls
  readonly running: RunningJobs
  readonly clock: Clock
}

/**
 * Makes the function that says what would become of a request.
 * @returns it throws a GenerationError for a request that is wrong, as a create does, and when it can't know the answer now
 */
export function jobEstimator(
  options: LifeOptions,
  context: EstimateContext,
): (request: JobRequest) => Promise<JobEstimate> {
  const { plugins, running, clock } = context
  const requests = requestReader(context)

  /** The budget that would be left. @throws what a create of the job would throw */
  async function admitted(request: JobRequest, model: Model, input: JsonObject): Promise<number | undefined> {
    const { owner, keyId, spendUsdPerDay } = request
    const places = await plugins.admit?.({ owner, keyId, model, input, spendUsdPerDay, isDryRun: true })
    places?.leave(false)
    checkLimitHeld(request, places?.reservation)
    // The place is given back at once, so that it takes none from a job.
    if (places?.maxUnfinished === undefined) running.reserve(owner)()
    return places?.remainingUsd
  }

  return async (request) => {
    checkJobRequest(request)
    const { model, input, metadata, mustLiveUntil } = await requests.validOrder(request)
    mustLiveUntil?.(lifeOf(model, clock.now(), options).deadlineAt)
    const outcome = await admitted(request, model, input).catch(refusalIn)
    const isRefused = outcome instanceof GenerationError
    return {
      model,
      shownInput: await shownInput(input),
      metadata,
      costUsd: await priceOf(model, input),
      refusal: isRefused ? outcome : undefined,
      remainingUsd: isRefused ? undefined : outcome,
    }
  }
}

/** The refusal that an error is. @throws every other error, and a fault of the service, after which a create may pass */
function refusalIn(error: unknown): GenerationError {
  if (error instanceof GenerationError && errorCodes[error.code].status < 500) return error
  throw error
}
