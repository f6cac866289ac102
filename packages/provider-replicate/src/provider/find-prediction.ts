import type { ProviderReport } from '@genmount/core'
import {
  pollFailure,
  recordOf,
  unknownNow,
  type VendorAnswer,
  type VendorClient,
} from '@genmount/vendor-http'
import { isPredictionId } from './prediction.ts'
import { maxBytes, wordsOf } from './vendor-words.ts'

/** Which prediction is looked for. */
export interface Search {
  /** The address that the prediction was to be created with. No other prediction has it. */
  readonly callbackUrl: string
  /** When it was to be created, in milliseconds since the Unix epoch by this service's clock. */
  readonly submittedAt: number
  /** Of the model, where the submit named one: predictions of others are not looked at. */
  readonly version: string | undefined
  readonly signal: AbortSignal
}

/** How far before and after the submit a prediction may be said to have been created, as clocks differ and submits hang. */
const earliestMs = -60_000
const latestMs = 120_000
/** Pages of 100, of the whole account. */
const maxPages = 5
/** How many predictions one search asks for their webhooks, and how many are remembered. */
const maxLookUps = 20
const maxRemembered = 2000

/**
 * Searches the account's list of predictions for the one that was created with a job's callback URL. The list may lag and
 * is read for a few pages only, so that not to be in it never means not to have been created.
 *
 * As of November 2026 Replicate documents that `GET /predictions` gives pages of 100, the newest first, with
 * `created_after` and `created_before` (https://replicate.com/docs/reference/http#predictions.list;
 * replicate-python-beta@48e138a, src/replicate/types/prediction_list_params.py). The type of its JavaScript SDK for these
 * items has `webhook` (replicate-javascript@2fd6f39, index.d.ts), and so have predictions as they are sent
 * (replicate-javascript#321); its OpenAPI names no such field. Items of the list that do not have the field are therefore
 * asked for one by one, those first that were created at about the time of the submit.
 */
export function predictionFinder(ask: VendorClient['ask']): (search: Search) => Promise<ProviderReport> {
  /** The webhooks of predictions that had to be asked for; `undefined` for none. They never change. */
  const webhooks = new Map<string, unknown>()

  async function get(path: string, signal: AbortSignal): Promise<VendorAnswer> {
    const answer = await ask({ method: 'GET', path, signal, maxBytes })
    if (answer.ok || answer.status === 404 || answer.status === 429) return answer
    throw new Error(`Replicate answered with status ${answer.status} to a search.`)
  }

  /** @returns what keeps the search from going on */
  async function learn(id: string, signal: AbortSignal): Promise<ProviderReport | undefined> {
    const answer = await get(`/predictions/${id}`, signal)
    if (answer.status === 429) return pollFailure(answer, wordsOf(answer))
    if (!answer.ok) return undefined
    const [oldest] = webhooks.keys()
    if (webhooks.size >= maxRemembered && oldest !== undefined) webhooks.delete(oldest)
    webhooks.set(id, recordOf(answer.json)['webhook'])
    return undefined
  }

  return async ({ callbackUrl, submittedAt, version, signal }) => {
    const earliest = submittedAt + earliestMs
    const untold: Item[] = []
    let path: string | undefined = `/predictions?${new URLSearchParams({
      created_after: new Date(earliest).toISOString(),
      created_before: new Date(submittedAt + latestMs).toISOString(),
    })}`
    for (let page = 0; page < maxPages && path !== undefined; page++) {
      const answer: VendorAnswer = await get(path, signal)
      if (!answer.ok) return pollFailure(answer, wordsOf(answer))
      const { items, next } = pageIn(answer.json)
      const found = items.find(({ webhook }) => webhook === callbackUrl)
      if (found) return running(found.id)
      untold.push(
        ...items.filter((item) => item.webhook === undefined && (!version || item.version === version)),
      )
      // Newest first, also where a proxy does not pass the limits on.
      path = items.some(({ createdAt }) => createdAt < earliest) ? undefined : next
    }

    const distance = ({ createdAt }: Item) => Math.abs(createdAt - submittedAt)
    const nearest = untold.toSorted((one, other) => distance(one) - distance(other))
    const unasked = nearest.filter(({ id }) => !webhooks.has(id)).slice(0, maxLookUps)
    for (const { id } of unasked) {
      const hindrance = await learn(id, signal)
      if (hindrance) return hindrance
      if (webhooks.get(id) === callbackUrl) break
    }
    const found = nearest.find(({ id }) => webhooks.get(id) === callbackUrl)
    return found ? running(found.id) : unknownNow('Replicate lists no prediction of this job so far.')
  }
}

interface Item {
  readonly id: string
  readonly webhook: unknown
  readonly version: unknown
  /** In milliseconds since the Unix epoch; `NaN` where it is not told. */
  readonly createdAt: number
}

/** @throws Error when it is no page of a list */
function pageIn(json: unknown): { readonly items: readonly Item[]; readonly next: string | undefined } {
  const { results, next } = recordOf(json)
  const url = typeof next === 'string' ? URL.parse(next) : undefined
  if (!Array.isArray(results) || url === null)
    throw new Error('Replicate answered without a list of predictions.')
  const items = results
    .map(recordOf)
    .flatMap(({ id, webhook, version, created_at }) =>
      isPredictionId(id) ? [{ id, webhook, version, createdAt: Date.parse(String(created_at)) }] : [],
    )
  // Its query alone: the API may be asked through another address.
  return { items, next: url && `/predictions${url.search}` }
}

/** The list may say less of a prediction than it says of itself: how it stands is for the next poll. */
function running(id: string): ProviderReport {
  return { state: 'running', handle: id }
}
