import type { JobWebhook, WebhookEvent } from '../contracts/job-webhook.ts'
import type { WebhookSender, WebhookWish } from '../contracts/webhooks.ts'
import { isWebhookWanted } from '../input/webhook-wish.ts'
import { GenerationError } from '../errors/generation-error.ts'

const maxUrlLength = 2048
const allEvents: readonly WebhookEvent[] = ['job.completed', 'job.failed']

/**
 * Checks the webhook that a client asks for.
 * @returns `undefined` when the client asks for no webhook
 * @throws GenerationError `invalid_request`, which names the field of the interface and says what is accepted
 */
export function requestedWebhook(wish: WebhookWish, sender: WebhookSender): JobWebhook | undefined {
  if (!isWebhookWanted(wish)) return undefined
  const { url, events } = wish
  if (url === undefined || url === null) throw refusal('webhook_url', 'is required if webhook_events is set.')
  const isShort = typeof url === 'string' && url.length <= maxUrlLength
  const parsed = isShort ? URL.parse(url) : null
  const isWeb = parsed?.protocol === 'https:' || (parsed?.protocol === 'http:' && sender.allowLoopback)
  if (!parsed || !isWeb)
    throw refusal('webhook_url', `must be an https URL of at most ${maxUrlLength} characters.`)
  const refused = sender.refusal(parsed)
  if (refused !== undefined) throw refusal('webhook_url', refused)
  return {
    url: parsed.href,
    events: events === undefined || events === null ? allEvents : checkEvents(events),
  }
}

function checkEvents(events: unknown): readonly WebhookEvent[] {
  const knownEvents = Array.isArray(events) ? allEvents.filter((event) => events.includes(event)) : []
  if (Array.isArray(events) && knownEvents.length > 0 && knownEvents.length === events.length)
    return knownEvents
  throw refusal('webhook_events', `must be a list of one or both of ${allEvents.join(' and ')}.`)
}

function refusal(field: string, rule: string): GenerationError {
  return new GenerationError('invalid_request', `${field} ${rule}`, { param: field })
}
