import { checkWebhookSender } from '../contracts/check-contract.ts'
import type { ServicePlugin } from '../contracts/service-plugin.ts'
import type { WebhookSender } from '../contracts/webhooks.ts'
import { deliverer } from './deliverer.ts'
import { deliveriesRoute, type WebhookMethods } from './deliveries-route.ts'
import { webhookOpenapi } from './webhook-openapi.ts'
import type { JobWebhook, WebhookEvent } from '../contracts/job-webhook.ts'
import { GenerationError } from '../errors/generation-error.ts'

/**
 * Notifies clients when their jobs have finished: a create may have a `webhook_url`. All processes that share a backend
 * need it. `signedWebhooks({ ... })` of `@genmount/webhooks` is this plugin with a sender that signs.
 * @param sender makes one try to send a webhook
 * @throws TypeError when the sender is wrong
 */
export function webhooks(sender: WebhookSender): ServicePlugin<WebhookMethods> {
  const checked = checkWebhookSender('webhooks', sender)
  return {
    name: 'webhooks',
    attach(host) {
      const { take, settled } = deliverer(checked, host)
      const deliveries = async (id: string, owner: string) => (await host.read(id, owner)).webhook
      return {
        createFields: { names: fieldNames, webhookOf: (values) => requestedWebhook(values, checked) },
        routes: [deliveriesRoute(deliveries)],
        openapi: webhookOpenapi,
        methods: { deliveries },
        wrote: take,
        due: take,
        settled,
        started() {
          if (checked.allowLoopback)
            host.log.warn(
              'allowLoopback is on: whoever creates jobs can make genmount post webhooks to the ports of this machine.',
            )
        },
      }
    },
  }
}

const fieldNames = { url: 'webhook_url', events: 'webhook_events' }
const maxUrlLength = 2048
const allEvents: readonly WebhookEvent[] = ['job.completed', 'job.failed']

/**
 * Checks the webhook that a client asks for.
 * @throws GenerationError `invalid_request`, which names the field of the interface and says what is accepted
 */
function requestedWebhook(
  { url, events }: { readonly url?: unknown; readonly events?: unknown },
  sender: WebhookSender,
): JobWebhook {
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
