import type { JsonObject, ProviderReport, RunningTask } from '@genmount/core'
import { isPolicyRefusal } from '../answers/google-failure.ts'
import type { GoogleClient, TaskFetching } from '../client/google-client.ts'
import { filmsReport } from '../files/film-files.ts'
import { googleFile } from '../files/google-file.ts'
import { failed } from '@genmount/provider-kit'
import { faultIn, filmsOf, type Interaction, textIn } from './interaction.ts'

/** The pause between two polls while Google turns a finished film into a file, in milliseconds. */
const filePauseMs = 5000

/** The reasons for a failed interaction whose answer does not explain the failure, by its status. */
const endings: Readonly<Record<string, string>> = {
  failed: 'Google gave no reason.',
  cancelled: 'The interaction was canceled at Google.',
  incomplete: 'Google stopped before the film was complete.',
  budget_exceeded: 'The budget of the account at Google is used up.',
  requires_action: 'Google waits for an action that this service does not take.',
}

/**
 * Reports the state of an interaction. If it has completed, its films are downloaded.
 * @param costOf returns the cost in US dollars for a number of films
 * @throws Error when a film cannot be downloaded at present
 */
export async function interactionReport(
  interaction: Interaction,
  handle: RunningTask['handle'],
  client: GoogleClient,
  fetching: TaskFetching,
  costOf: (films: number) => number | undefined,
): Promise<ProviderReport> {
  const films = filmsOf(interaction)
  const status = films.stateOf(interaction['status'], 'completed')
  if (status === undefined) throw new Error('Google answered without the status of the interaction.')
  if (Object.hasOwn(endings, status)) return failure(interaction, endings[status]!, costOf(0))
  // `queued`, `in_progress`, and any status that Google may add later.
  if (status !== 'completed') return { state: 'running', handle }
  const costUsd = costOf(films.made)
  if (films.list.length === 0) {
    // To refuse a prompt, Google answers with the status `completed` and a text instead of the film.
    const words = textIn(interaction)
    if (words !== '') return failed('content_policy', `Google has made no film: ${words}`, costUsd)
  }
  for (const { output } of films.list) {
    const isLink = output !== undefined && 'url' in output
    const state = isLink ? await googleFile(output.url, client).state(fetching.signal) : undefined
    if (state === 'PROCESSING') return { state: 'running', handle, pollAfterMs: filePauseMs }
    if (state === 'FAILED') return failed('provider_failed', 'Google could not store the film.', costUsd)
  }
  const task = { vendor: 'Google', kind: 'video', answer: interaction, costUsd } as const
  return filmsReport(films, client, fetching, { ...task, handle: handle as JsonObject })
}

function failure(interaction: Interaction, otherwise: string, costUsd: number | undefined): ProviderReport {
  const { code = 'provider_failed', message = otherwise } = faultIn(interaction) ?? {}
  return failed(isPolicyRefusal(message) ? 'content_policy' : code, message, costUsd)
}
