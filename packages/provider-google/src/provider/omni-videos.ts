import type { ProviderReport, RunningTask } from '@genmount/core'
import { AnswerTooLargeError, failed, unknownNow, type usagePricer } from '@genmount/vendor-http'
import * as v from 'valibot'
import type { GoogleApi, GoogleWork } from './google-api.ts'
import { isUnknownInteraction, refusedPoll, refusedSubmit } from './google-failure.ts'
import { type Interaction, interactionAnswer, interactionId } from './interaction.ts'
import { interactionReport } from './interaction-report.ts'
import { type filmTokenKinds, filmTokensOf } from './interaction-tokens.ts'
import { type EncodedFile, type OmniInput, withEncoded } from './model-inputs.ts'
import { omniRequest, omniSources } from './omni-request.ts'

const handleSchema = v.object({ interaction: interactionId })
const idIn = (handle: unknown) => v.safeParse(handleSchema, handle)
const noInteraction = unknownNow('The handle of this job does not name an interaction of Google.')

/** The answer repeats the pictures of the input, and has the film in it where a gateway sends no link. */
const maxBytes = 128 * 1024 * 1024

/**
 * Google's Gemini Omni models, through the Interactions API. Each job is an interaction in the background, whose id is
 * the handle.
 * @see https://ai.google.dev/gemini-api/docs/omni
 * @see https://ai.google.dev/gemini-api/docs/background-execution
 */
export function omniVideos(
  api: GoogleApi,
  vendorModel: string,
  costOf: ReturnType<typeof usagePricer<(typeof filmTokenKinds)[number]>>,
): GoogleWork {
  return {
    async submit(task, { signal }) {
      const input = task.input as OmniInput
      const { owner } = task
      const send = (files: readonly EncodedFile[]) => {
        const json = omniRequest(vendorModel, input, files)
        return api.ask({ method: 'POST', path: '/interactions', json, signal, maxBytes })
      }
      const answer = await withEncoded(omniSources(input), api, { signal, owner }, send, input.video)
      if (!answer.ok) return refusedSubmit(answer, vendorModel)
      const { id } = v.parse(v.object({ id: interactionId }), answer.json)
      return { state: 'running', handle: { interaction: id } }
    },

    async poll(task, { signal }) {
      const { success, output } = idIn(task.handle)
      if (!success) return noInteraction
      const path = `/interactions/${encodeURIComponent(output.interaction)}`
      const answer = await api.ask({ method: 'GET', path, signal, maxBytes }).catch(tooLarge)
      if ('state' in answer) return answer
      if (isUnknownInteraction(answer)) return unknownNow('Google does not know the interaction any more.')
      if (!answer.ok) return refusedPoll(answer)
      const interaction = v.parse(interactionAnswer, answer.json)
      const priced = (outputs: number) => costOfInteraction(task, interaction, outputs)
      return interactionReport(interaction, task, api, { signal, owner: task.owner }, priced)
    },

    async cancel(task, { signal }) {
      const { success, output } = idIn(task.handle)
      if (!success) return
      const path = `/interactions/${encodeURIComponent(output.interaction)}/cancel`
      const { ok, status } = await api.ask({ method: 'POST', path, signal, maxBytes })
      // These mean that the interaction has already ended, or is not known. The poll that follows tells which.
      if (!ok && ![400, 404, 409].includes(status))
        throw new Error(`Google answered a cancellation with status ${status}.`)
    },
  }

  function costOfInteraction({ input }: RunningTask, { usage }: Interaction, films: number) {
    const tokens = usage ? filmTokensOf(usage, films) : undefined
    return costOf({ input, outputs: films * Number(input['duration']), tokens })
  }
}

/** The same answer would be too long at every poll. */
function tooLarge(error: unknown): ProviderReport {
  if (!(error instanceof AnswerTooLargeError)) throw error
  return failed('output_invalid', 'The film in the answer is too large.')
}
