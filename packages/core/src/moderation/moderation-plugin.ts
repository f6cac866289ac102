import type { PluginHost } from '../contracts/plugin/plugin-host.ts'
import type { OutputObjection } from '../contracts/plugin/output-change.ts'
import type { ServicePlugin } from '../contracts/plugin/service-plugin.ts'
import {
  checkModerate,
  type Moderate,
  type ModeratedOutputs,
  type Verdict,
  type ModeratedInput,
} from './moderate.ts'
import type { Job } from '../contracts/job.ts'
import type { JsonObject } from '../contracts/json.ts'
import type { Output } from '../contracts/provider-report.ts'
import { fieldsOf } from '../job/whose.ts'
import { persist } from '../pacing/persist.ts'
import { withinLimit } from '../pacing/within-limit.ts'
import { jsonCopy } from '../text/json-values.ts'
import { shortText } from '../text/short-text.ts'
import type { Clock } from '../contracts/clock.ts'
import { GenerationError } from '../errors/generation-error.ts'

/**
 * Applies your rules on content: one function checks the input before a job is stored, another checks the outputs before
 * any client can read them. Content that they do not explicitly allow is refused. It comes last among the plugins that
 * admit jobs, because a check may cost money. A dry run is not checked, for the same reason.
 * @throws TypeError when a function is wrong
 * @example moderation({ input: async ({ input }) => ((await isFit(input)) ? 'allowed' : { refused: 'Not in this app.' }) })
 */
export function moderation(rules: Moderate): ServicePlugin {
  const { input, outputs } = checkModerate('moderation', rules)
  return {
    name: 'moderation',
    attach: (host) => ({
      admit:
        input &&
        (async ({ owner, model, input: sent, isDryRun }) => {
          if (!isDryRun) await moderateInput(input, host.clock, { owner, model, input: sent })
        }),
      checkOutputs: outputs && ((job, made) => moderateOutputs(outputs, host, job, made)),
    }),
  }
}

/** How long one check of the app may take, in milliseconds. */
const limitMs = 5 * 60_000
/** For how long to repeat a check that has failed, in milliseconds. The job is paid for already. */
const repeatForMs = 60_000

/**
 * Lets the app check the outputs of a job. Outputs that the app has not certainly allowed never complete a job.
 * @returns why the outputs can't be stored; `undefined` when the app allows them
 */
async function moderateOutputs(
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

/**
 * Reads what the app's `moderate` has returned.
 * @returns the reason of the refusal, in words for the client; `undefined` when it allows
 * @throws Error when the app has returned no verdict, so that a forgotten `return` allows nothing
 */
function refusalIn(verdict: Verdict): string | undefined {
  if (verdict === 'allowed') return undefined
  const { refused } = (verdict ?? {}) as { readonly refused?: unknown }
  if (typeof refused === 'string' && refused !== '') return shortText(refused)
  throw new TypeError("moderate must return 'allowed' or { refused: 'why' }.")
}

/** How long the app may check an input, in milliseconds. The client of the create waits for this check. */
const inputLimitMs = 30_000

/**
 * Lets the app check an input.
 * @throws GenerationError `content_policy` when the app refuses; `moderation_unavailable` when the app has not decided
 */
async function moderateInput(
  look: NonNullable<Moderate['input']>,
  clock: Clock,
  request: ModeratedInput,
): Promise<void> {
  let why: string | undefined
  try {
    why = refusalIn(await withinLimit(clock, inputLimitMs, 'app’s moderate.input', () => look(request)))
  } catch (cause) {
    const message = 'The input could not be checked against the rules on content. Try again later.'
    throw new GenerationError('moderation_unavailable', message, { cause })
  }
  if (why !== undefined) throw new GenerationError('content_policy', why)
}
