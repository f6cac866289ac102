import { Buffer } from 'node:buffer'
import type { Output, ProviderReport, RunningTask } from '@genmount/core'
import { AnswerTooLargeError, failed, unknownNow, usagePricer } from '@genmount/vendor-http'
import * as v from 'valibot'
import { downloadVideos } from './download-videos.ts'
import { fileAt } from './file-at.ts'
import type { GoogleApi, GoogleWork, TaskFetching } from './google-api.ts'
import { isPolicyRefusal, isUnknownInteraction, refusedPoll, refusedSubmit } from './google-failure.ts'
import {
  faultIn,
  filmsIn,
  type Interaction,
  interactionAnswer,
  type InteractionContent,
  interactionId,
  textIn,
} from './interaction.ts'
import { filmTokenKinds, filmTokensOf } from './interaction-tokens.ts'
import { type OmniInput, withEncoded } from './model-inputs.ts'
import { omniRequest, omniSources } from './omni-request.ts'

const handleSchema = v.object({ interaction: interactionId })
const idIn = (handle: unknown) => v.safeParse(handleSchema, handle)
const noInteraction = unknownNow('The handle of this job does not name an interaction of Google.')

/** The answer repeats the pictures of the input, and has the film in it where a gateway sends no link. */
const maxBytes = 128 * 1024 * 1024

/** How long a film that is made may take to become a file at Google, between two looks, in milliseconds. */
const filePauseMs = 5000

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
      const answer = await withEncoded(omniSources(input), api, { signal, owner }, (pictures) => {
        const json = omniRequest(vendorModel, input, pictures)
        return api.ask({ method: 'POST', path: '/interactions', json, signal, maxBytes })
      })
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
      return reportOf(interaction, task, api, { signal, owner: task.owner }, priced)
    },

    async cancel(task, { signal }) {
      const { success, output } = idIn(task.handle)
      if (!success) return
      const path = `/interactions/${encodeURIComponent(output.interaction)}/cancel`
      const { ok, status } = await api.ask({ method: 'POST', path, json: {}, signal, maxBytes })
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

/** @throws Error when a film cannot be downloaded at present */
async function reportOf(
  interaction: Interaction,
  { handle }: RunningTask,
  api: GoogleApi,
  fetching: TaskFetching,
  costOf: (films: number) => number | undefined,
): Promise<ProviderReport> {
  switch (interaction.status) {
    case 'completed':
      return finished(interaction, handle, api, fetching, costOf)
    case 'failed':
      return failure(interaction, 'Google gave no reason.', costOf(0))
    case 'cancelled':
      return failed('provider_failed', 'The interaction was cancelled at Google.', costOf(0))
    case 'incomplete':
      return failure(interaction, 'Google stopped before the film was complete.', costOf(0))
    case 'budget_exceeded':
      return failure(interaction, 'The budget of the account at Google is used up.', costOf(0))
    case 'requires_action':
      return failed(
        'provider_failed',
        'Google waits for an action that this service does not take.',
        costOf(0),
      )
    default:
      // `queued`, `in_progress`, and words that Google adds later.
      return { state: 'running', handle }
  }
}

function failure(interaction: Interaction, otherwise: string, costUsd: number | undefined): ProviderReport {
  const { code, message } = faultIn(interaction) ?? { code: '', message: otherwise }
  if (isPolicyRefusal(message) || /SAFETY|PROHIBITED_CONTENT|BLOCKLIST/i.test(code))
    return failed('content_policy', message, costUsd)
  return failed(
    /invalid_(?:request|argument)/i.test(code) ? 'provider_rejected' : 'provider_failed',
    message,
    costUsd,
  )
}

async function finished(
  interaction: Interaction,
  handle: RunningTask['handle'],
  api: GoogleApi,
  fetching: TaskFetching,
  costOf: (films: number) => number | undefined,
): Promise<ProviderReport> {
  const films = filmsIn(interaction)
  const costUsd = costOf(films.length)
  if (films.length === 0) {
    // Google refuses a prompt by text in place of the film, with the status `completed`.
    const words = textIn(interaction)
    return words === ''
      ? failed('output_invalid', 'Google has finished, but there is no film in its answer.', costUsd)
      : failed('content_policy', `Google has made no film: ${words}`, costUsd)
  }
  for (const { uri, data } of films) {
    const state = !data && uri ? await fileAt(uri, api.origin)?.state(api, fetching.signal) : undefined
    if (state === 'PROCESSING') return { state: 'running', handle, pollAfterMs: filePauseMs }
    if (state === 'FAILED') return failed('provider_failed', 'Google could not store the film.', costUsd)
  }
  const outputs = await Promise.all(films.map((film) => outputsOf(film, api, fetching)))
  const unusable = outputs.find((output) => 'state' in output)
  if (unusable) return { ...unusable, costUsd }
  return { state: 'succeeded', outputs: (outputs as (readonly Output[])[]).flat(), costUsd }
}

async function outputsOf({ data, uri }: InteractionContent, api: GoogleApi, fetching: TaskFetching) {
  if (!data) return downloadVideos([fileAt(uri!, api.origin)?.content ?? uri!], api, fetching)
  const bytes = Buffer.from(data, 'base64')
  return bytes.byteLength === 0
    ? failed('output_invalid', 'The film that Google sent is empty.')
    : [{ bytes }]
}
