import type { Clock } from '../contracts/clock.ts'
import type { Job } from '../contracts/job.ts'
import type { JsonObject } from '../contracts/json.ts'
import type { Log } from '../contracts/log.ts'
import type { Model } from '../contracts/provider.ts'
import type { Output } from '../contracts/provider-report.ts'
import type { JobEvent } from '../job/job-event.ts'
import { fieldsOf } from '../job/whose.ts'
import type { Ending } from '../pacing/ending.ts'
import { persist } from '../pacing/persist.ts'
import { withinLimit } from '../pacing/within-limit.ts'
import { jsonCopy } from '../text/json-copy.ts'
import type { Moderate, ModeratedOutputs } from './moderate.ts'
import { refusalIn } from './refusal.ts'

/** What {@link moderateOutputs} works with. */
export interface OutputModeration {
  readonly clock: Clock
  readonly log: Log
  /** Ends when the service is closing and can no longer wait. */
  readonly givingUp: Ending
  readonly modelOf: (id: string) => Model | undefined
}

/**
 * Lets the app check the outputs of a job.
 * @returns the event that ends the step without the outputs; `undefined` when the app allows them
 */
export type OutputModerator = (job: Job, outputs: readonly Output[]) => Promise<JobEvent | undefined>

/** How long one check of the app may take, in milliseconds. */
const limitMs = 5 * 60_000
/** For how long to repeat a check that has failed, in milliseconds. The job is paid for already. */
const repeatForMs = 60_000

/** See {@link OutputModerator}. Outputs that the app has not certainly allowed never complete a job. */
export async function moderateOutputs(
  look: NonNullable<Moderate['outputs']>,
  { clock, log, givingUp, modelOf }: OutputModeration,
  job: Job,
  outputs: readonly Output[],
): Promise<JobEvent | undefined> {
  const { id: jobId, owner, task: input = job.input } = job
  const ask = async (given: ModeratedOutputs): Promise<string | undefined> =>
    refusalIn(await withinLimit(clock, limitMs, 'app’s moderate.outputs', async () => look(given), givingUp))
  try {
    const model = modelOf(job.model)
    if (!model) throw new Error(`There is no model ${job.model} any more.`)
    // Copies, except of the bytes, so that the app can't change what the provider has reported.
    const given = () => ({
      owner,
      model,
      input: jsonCopy(input) as JsonObject,
      jobId,
      outputs: outputs.map((output) => ({ ...output })),
    })
    const why = await persist(() => ask(given()), { clock, forMs: repeatForMs, givingUp })
    return why === undefined ? undefined : { type: 'failed', code: 'content_policy', message: why }
  } catch (cause) {
    if (givingUp.hasEnded) return { type: 'interrupted' }
    log.error(`The outputs of job ${jobId} could not be checked by the app’s moderate.outputs.`, {
      ...fieldsOf(job),
      cause,
    })
    const message = 'The outputs could not be checked against the rules on content, so they are withheld.'
    return { type: 'failed', code: 'service_failed', message }
  }
}
