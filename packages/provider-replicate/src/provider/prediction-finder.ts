import type { ProviderReport } from '@genmount/core'
import { isTaskId, recordOf, type VendorAnswer, type VendorClient } from '@genmount/provider-kit'
import { maxBytes, maxPageValues } from './vendor-words.ts'

/** The prediction to search for. */
export interface Search {
  /** The webhook URL in the lost request. No other prediction has the same URL. */
  readonly callbackUrl: string
  /** When the lost request was sent, in milliseconds since the Unix epoch by this service's clock. */
  readonly submittedAt: number
  /** The model version in the lost request, if it named one. Predictions of other versions are skipped. */
  readonly version: string | undefined
  readonly signal: AbortSignal
}

/**
 * The search covers creation times from 60 s before to 120 s after the submit, because clocks differ and submits can be
 * slow.
 */
const earliestMs = -60_000
const latestMs = 120_000
/**
 * If the prediction is not among those, the clock of this service may have been wrong at the submit. So the search goes on
 * among the predictions of the latest 15 minutes by Replicate's clock: a lost submit is looked for within minutes.
 */
const recentMs = 15 * 60_000
/**
 * The search reads at most this many pages of 100 predictions in each of the two periods. The list contains all
 * predictions of the account.
 */
const maxPages = 5
/** How many predictions one search fetches one by one to read their webhooks, and how many webhooks are remembered. */
const maxLookUps = 20
const maxRemembered = 2000

/**
 * Searches the account's list of predictions for the one that was created with a job's callback URL. A prediction that
 * is not found may still exist, because the list can lag behind and only a few of its pages are read.
 *
 * As of November 2026 Replicate documents that `GET /predictions` returns pages of 100, the newest first, and accepts
 * `created_after` and `created_before` (https://replicate.com/docs/reference/http#predictions.list;
 * replicate-python-beta@48e138a, src/replicate/types/prediction_list_params.py). It is not certain whether the items of
 * the list have the field `webhook`: its JavaScript SDK declares it (replicate-javascript@2fd6f39, index.d.ts), and
 * single predictions have it (replicate-javascript#321), but its OpenAPI document does not name it. Items without the
 * field are therefore fetched one by one, beginning with those created closest to the time of the submit.
 */
export function predictionFinder(ask: VendorClient['ask']): (search: Search) => Promise<ProviderReport> {
  /**
   * The webhooks of predictions that were fetched one by one; `undefined` for none. A prediction's webhook never
   * changes.
   */
  const webhooks = new Map<string, unknown>()

  async function get(path: string, signal: AbortSignal): Promise<VendorAnswer> {
    const answer = await ask({ method: 'GET', path, signal, maxBytes, maxValues: maxPageValues })
    if (answer.ok || answer.status === 404 || answer.status === 429) return answer
    throw new Error(`Replicate answered a search with status ${answer.status}.`)
  }

  /** Reads the webhook of a prediction. @returns a report when Replicate asks to wait, which ends the search */
  async function learn(id: string, signal: AbortSignal): Promise<ProviderReport | undefined> {
    const answer = await get(`/predictions/${id}`, signal)
    if (answer.status === 429) return answer.pollFailure()
    if (!answer.ok) return undefined
    const [oldest] = webhooks.keys()
    if (webhooks.size >= maxRemembered && oldest !== undefined) webhooks.delete(oldest)
    webhooks.set(id, recordOf(answer.json)['webhook'])
    return undefined
  }

  /**
   * Reads the predictions that were created in a period, the newest first, until one has the webhook.
   * @returns what was read: a report if the search is over, the items whose webhook the list does not tell, and
   *   Replicate's time, `NaN` if it does not tell that
   */
  async function read({ callbackUrl, version, signal }: Search, { from, until }: Period) {
    const untold: Item[] = []
    let vendorNow = Number.NaN
    let path: string | undefined = `/predictions?${new URLSearchParams({
      created_after: new Date(from).toISOString(),
      created_before: new Date(until).toISOString(),
    })}`
    for (let page = 0; page < maxPages && path !== undefined; page++) {
      const answer: VendorAnswer = await get(path, signal)
      if (!answer.ok) return { report: answer.pollFailure(), untold, vendorNow }
      vendorNow = Date.parse(answer.headers.get('date') ?? '')
      const { items, next } = pageIn(answer.json)
      const prediction = items.find(({ webhook }) => webhook === callbackUrl)
      if (prediction) return { report: running(prediction.id), untold, vendorNow }
      untold.push(
        ...items.filter((item) => item.webhook === undefined && (!version || item.version === version)),
      )
      // The newest come first, so an older item ends the search, even if a proxy drops the limits from the query.
      path = items.some(({ createdAt }) => createdAt < from) ? undefined : next
    }
    return { untold, vendorNow }
  }

  return async (search) => {
    const { callbackUrl, submittedAt, signal } = search
    const period = { from: submittedAt + earliestMs, until: submittedAt + latestMs }
    const { report, untold, vendorNow } = await read(search, period)
    if (report) return report
    const recent = recentPeriod(vendorNow, period)
    const others = recent && (await read(search, recent))
    if (others?.report) return others.report

    const distance = ({ createdAt }: Item) => Math.abs(createdAt - submittedAt)
    const near = untold.toSorted((one, other) => distance(one) - distance(other))
    // The two periods may overlap.
    const nearest = [...new Map([...near, ...(others?.untold ?? [])].map((item) => [item.id, item])).values()]
    const unasked = nearest.filter(({ id }) => !webhooks.has(id)).slice(0, maxLookUps)
    for (const { id } of unasked) {
      const hindrance = await learn(id, signal)
      if (hindrance) return hindrance
      if (webhooks.get(id) === callbackUrl) break
    }
    const prediction = nearest.find(({ id }) => webhooks.get(id) === callbackUrl)
    return prediction
      ? running(prediction.id)
      : { state: 'unknown', message: 'Replicate does not list a prediction of this job so far.' }
  }
}

/** A period in milliseconds since the Unix epoch. */
interface Period {
  readonly from: number
  readonly until: number
}

/** The latest minutes, as far as they were not searched. `undefined` when Replicate's time is not known. */
function recentPeriod(vendorNow: number, searched: Period): Period | undefined {
  const from = vendorNow - recentMs
  const latest = vendorNow + latestMs
  const until = vendorNow < searched.until ? Math.min(latest, searched.from) : latest
  return from < until ? { from, until } : undefined
}

interface Item {
  /** The prediction as the list shows it. */
  readonly fields: Readonly<Record<string, unknown>>
  readonly id: string
  readonly webhook: unknown
  readonly version: unknown
  /** In milliseconds since the Unix epoch; `NaN` when Replicate does not report it. */
  readonly createdAt: number
}

/** @throws Error when the answer is not a page of predictions */
export function pageIn(json: unknown): {
  readonly items: readonly Item[]
  readonly next: string | undefined
} {
  const { results, next } = recordOf(json)
  const url = typeof next === 'string' ? URL.parse(next) : undefined
  if (!Array.isArray(results) || url === null)
    throw new Error('Replicate answered without a list of predictions.')
  const items = results.map(recordOf).flatMap((fields) => {
    const { id, webhook, version, created_at } = fields
    return isTaskId(id) ? [{ fields, id, webhook, version, createdAt: Date.parse(String(created_at)) }] : []
  })
  // Keeps only the query of the next page's URL, because requests may go through a proxy with another address.
  return { items, next: url && `/predictions${url.search}` }
}

/** Reports `running`, because the list may contain less than the prediction itself. The next poll reads its state. */
function running(id: string): ProviderReport {
  return { state: 'running', handle: id }
}
