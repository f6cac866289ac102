import type { JobWebhook, WebhookEvent, Webhooks } from '../contracts/webhooks.ts'
import { GenerationError } from '../errors/generation-error.ts'

/** The webhook that a client asks for, not validated yet. `null` counts as absent. */
export interface WebhookWish {
  /** The https URL of the receiver: up to 2048 characters. */
  readonly url?: unknown
  /** A list of `job.completed` and `job.failed`. @default both */
  readonly events?: unknown
}

const maxUrlLength = 2048
const allEvents: readonly WebhookEvent[] = ['job.completed', 'job.failed']

/**
 * Checks the webhook that a client asks for.
 * @param webhooks absent when the service sends no webhooks
 * @returns `undefined` when the client asks for no webhook
 * @throws GenerationError `invalid_request`, which names the field of the interface and says what is accepted
 */
export function checkWebhook(wish: WebhookWish = {}, webhooks: Webhooks | undefined): JobWebhook | undefined {
  if (!isToBeTold(wish)) return undefined
  const { url, events } = wish
  if (!webhooks) throw refusal('webhook_url', 'is not accepted: this service sends no webhooks.')
  if (isAbsent(url)) throw refusal('webhook_url', 'is required if webhook_events is set.')
  const isShort = typeof url === 'string' && url.length <= maxUrlLength
  const parsed = isShort ? URL.parse(url) : null
  const isWeb = parsed?.protocol === 'https:' || (parsed?.protocol === 'http:' && webhooks.allowLoopback)
  if (!parsed || !isWeb)
    throw refusal('webhook_url', `must be an https URL of at most ${maxUrlLength} characters.`)
  const refused = webhooks.refusal(parsed)
  if (refused !== undefined) throw refusal('webhook_url', refused)
  return { url: parsed.href, events: isAbsent(events) ? allEvents : checkEvents(events) }
}

/** Whether the client asks for a webhook. */
export function isToBeTold({ url, events }: WebhookWish = {}): boolean {
  return !isAbsent(url) || !isAbsent(events)
}

function checkEvents(events: unknown): readonly WebhookEvent[] {
  const known = Array.isArray(events) ? allEvents.filter((event) => events.includes(event)) : []
  if (Array.isArray(events) && known.length > 0 && known.length === events.length) return known
  throw refusal('webhook_events', `must be a list of one or both of ${allEvents.join(' and ')}.`)
}

function isAbsent(value: unknown): value is undefined | null {
  return value === undefined || value === null
}

function refusal(field: string, rule: string): GenerationError {
  return new GenerationError('invalid_request', `${field} ${rule}`, { param: field })
}
