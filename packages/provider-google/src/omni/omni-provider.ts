import type { Provider, ProviderReport } from '@genmount/core'
import { googleWords, refusedSubmit } from '../answers/google-failure.ts'
import { googleCallTimeoutMs, googleClient } from '../client/google-client.ts'
import { withEncodedFiles } from '../files/encoded-files.ts'
import { AnswerTooLargeError, failed, partWith, pictureRefusal } from '@genmount/provider-kit'
import { spreadOutputs } from '@genmount/provider-kit/spreading'
import * as v from 'valibot'
import { interactionId } from '../interaction/interaction.ts'
import { interactionReport } from '../interaction/interaction-report.ts'
import { omniRequest, omniSources } from '../interaction/omni-request.ts'
import { interactionUsage, tokensOf } from '../interaction/interaction-tokens.ts'
import type { OmniInput } from './omni-input.ts'
import { checkOmniOptions, type GeminiOmniProviderOptions } from './omni-options.ts'

const handleSchema = v.object({ interaction: interactionId })

/**
 * The largest answer, in bytes. An answer repeats the pictures of the input, and contains the film if a gateway sends
 * no link.
 */
const maxBytes = 128 * 1024 * 1024

/**
 * Makes films with Gemini Omni, through the Interactions API. Each job is an interaction in the background at Google,
 * and its id is the handle. So any process can continue or cancel the job. Films open only with the API key, so they
 * are downloaded and returned as bytes. The webhook of a request has no signature over its body, so a webhook only
 * triggers a poll of the job.
 * @throws TypeError that names the option, when an option is wrong
 * @see https://ai.google.dev/gemini-api/docs/omni
 * @see https://ai.google.dev/gemini-api/docs/background-execution
 * @example geminiOmniProvider({ token: process.env.GEMINI_API_KEY!, models: { 'gemini-omni-1.2-flash': {} } })
 */
export function geminiOmniProvider(options: GeminiOmniProviderOptions): Provider {
  const { models: offered, ...checked } = checkOmniOptions(options)
  const client = googleClient('gemini-omni', checked)

  return spreadOutputs({
    name: 'gemini-omni',
    models: offered.models,
    callTimeoutMs: googleCallTimeoutMs,
    callbacksAreHints: true,

    async submit(task, { signal, callbackUrl }) {
      const { vendorModel } = offered.of(task)
      const input = task.input as OmniInput
      const fetching = { signal, owner: task.owner }
      const hook = callbackUrl?.startsWith('https:') && { webhook_config: { uris: [callbackUrl] } }
      const send = (body: object) => {
        const json = { ...body, ...hook }
        return client.ask({ method: 'POST', path: '/interactions', json, callbackUrl, signal, maxBytes })
      }
      try {
        const answer = await withEncodedFiles(
          omniSources(input),
          client,
          fetching,
          (files) => send(omniRequest(vendorModel, input, files)),
          input.video,
        )
        if (!answer.ok) return refusedSubmit(answer, vendorModel)
        const { interaction } = v.parse(handleSchema, { interaction: partWith('id', answer.json)['id'] })
        // Operators find the job by the text `id`.
        return { state: 'running', handle: { id: interaction, interaction } }
      } catch (error) {
        return pictureRefusal(error)
      }
    },

    async poll(task, { signal }) {
      const { input, owner } = task
      const { price } = offered.ofTask(task)
      const path = pathOf(task.handle)
      if (path === undefined)
        return { state: 'unknown', message: 'The handle of this job does not name an interaction of Google.' }
      const answer = await client.ask({ method: 'GET', path, signal, maxBytes }).catch(tooLarge)
      if ('state' in answer) return answer
      // Google answers 400 for an unknown interaction, and also for temporary faults.
      if (answer.status === 400 && /invalid interaction name/i.test(googleWords(answer).message ?? ''))
        return { state: 'unknown', message: 'Google does not know the interaction any more.' }
      if (!answer.ok) return answer.pollFailure()
      const interaction = partWith(['status', 'steps'], answer.json)
      const usage = v.safeParse(interactionUsage, interaction['usage'])
      return interactionReport(interaction, task.handle, client, { signal, owner }, (films) =>
        price?.costOf({
          input,
          outputs: films * Number(input['duration']),
          tokens: usage.success ? tokensOf(usage.output, films) : undefined,
        }),
      )
    },

    async cancel({ handle }, { signal }) {
      const path = pathOf(handle)
      if (path === undefined) return
      const { ok, status } = await client.ask({ method: 'POST', path: `${path}/cancel`, signal, maxBytes })
      // These statuses mean that the interaction has already ended or is unknown. The next poll shows which.
      if (!ok && ![400, 404, 409].includes(status))
        throw new Error(`Google answered a cancellation with status ${status}.`)
    },
  })
}

function pathOf(handle: unknown): string | undefined {
  const { success, output } = v.safeParse(handleSchema, handle)
  return success ? `/interactions/${encodeURIComponent(output.interaction)}` : undefined
}

/** Fails the job, because the answer would be too long at every poll. */
function tooLarge(error: unknown): ProviderReport {
  if (!(error instanceof AnswerTooLargeError)) throw error
  return failed('output_invalid', 'The film in the answer is too large.')
}
