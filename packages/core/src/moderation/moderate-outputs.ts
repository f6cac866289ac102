import type { Job } from '../contracts/job.ts'
import type { JsonObject } from '../contracts/json.ts'
import type { OutputObjection, PluginHost } from '../contracts/service-plugin.ts'
import type { Output } from '../contracts/provider-report.ts'
import { fieldsOf } from '../job/whose.ts'
import { persist } from '../pacing/persist.ts'
import { withinLimit } from '../pacing/within-limit.ts'
import { jsonCopy } from '../text/json-copy.ts'
import type { Moderate, ModeratedOutputs } from './moderate.ts'
import { refusalIn } from './refusal.ts'

/** How long one check of the app may take, in milliseconds. */
const limitMs = 5 * 60_000
/** For how long to repeat a check that has failed, in milliseconds. The job is paid for already. */
const repeatForMs = 60_000

/**
 * Lets the app check the outputs of a job. Outputs that the app has not certainly allowed never complete a job.
 * @returns why the outputs can't be stored; `undefined` when the app allows them
 */
export async function moderateOutputs(
  look: NonNullable<Moderate['outputs']>,
  { clock, log, givingUp, modelOf }: PluginHost,
  job: Job,
  outputs: readonly Output[],
): Promise<OutputObjection | undefined> {
  const { id: jobId, owner, input = job.shownInput } = job
  const ask = async (request: ModeratedOutputs): Promise<string | undefined> =>
    refusalIn(
      await withinLimit(clock, limitMs, 'app’s moderate.outputs', async () => look(request), givingUp),
    )
  try {
    const model = modelOf(job.model)
    if (!model) throw new Error(`There is no model ${job.model} any more.`)
    // Copies, except of the bytes, so that the app can't change what the provider has reported.
    const request = () => ({
      owner,
      model,
      input: jsonCopy(input) as JsonObject,
      jobId,
      outputs: outputs.map((output) => ({ ...output })),
    })
    const why = await persist(() => ask(request()), { clock, forMs: repeatForMs, givingUp })
    return why === undefined ? undefined : { code: 'content_policy', message: why }
  } catch (cause) {
    if (givingUp.hasEnded) throw cause
    log.error(`The outputs of job ${jobId} could not be checked by the app’s moderate.outputs.`, {
      ...fieldsOf(job),
      cause,
    })
    const message = 'The outputs could not be checked against the rules on content, so they are withheld.'
    return { code: 'service_failed', message }
  }
}
