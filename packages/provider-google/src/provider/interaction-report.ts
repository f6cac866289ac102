import { Buffer } from 'node:buffer'
import type { Output, ProviderReport, RunningTask } from '@genmount/core'
import { failed } from '@genmount/vendor-http'
import { addressOf, downloadVideos } from './download-videos.ts'
import { fileAt } from './file-at.ts'
import type { GoogleApi, TaskFetching } from './google-api.ts'
import { isPolicyRefusal } from './google-failure.ts'
import { faultIn, filmsIn, type Interaction, type InteractionContent, textIn } from './interaction.ts'

/** How long a film that is made may take to become a file at Google, between two looks, in milliseconds. */
const filePauseMs = 5000

/**
 * Reports what has become of an interaction. The films of one that has completed are downloaded.
 * @param costOf what it costs in US dollars, by the number of its films
 * @throws Error when a film cannot be downloaded at present
 */
export async function interactionReport(
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
    const state =
      !data && uri ? await fileAt(addressOf(uri, api), api.origin)?.state(api, fetching.signal) : undefined
    if (state === 'PROCESSING') return { state: 'running', handle, pollAfterMs: filePauseMs }
    if (state === 'FAILED') return failed('provider_failed', 'Google could not store the film.', costUsd)
  }
  const outputs = await Promise.all(films.map((film) => outputsOf(film, api, fetching)))
  const unusable = outputs.find((output) => 'state' in output)
  if (unusable) return unusable.state === 'refused' ? unusable : { ...unusable, costUsd }
  return { state: 'succeeded', outputs: (outputs as (readonly Output[])[]).flat(), costUsd }
}

async function outputsOf({ data, uri }: InteractionContent, api: GoogleApi, fetching: TaskFetching) {
  if (!data) {
    const address = addressOf(uri!, api)
    return downloadVideos([{ uri: fileAt(address, api.origin)?.content ?? address }], api, fetching)
  }
  const bytes = Buffer.from(data, 'base64')
  return bytes.byteLength === 0
    ? failed('output_invalid', 'The film that Google sent is empty.')
    : [{ bytes }]
}
