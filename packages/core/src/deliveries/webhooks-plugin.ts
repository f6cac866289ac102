import { checkWebhookSender } from '../contracts/check-contract.ts'
import type { ServicePlugin } from '../contracts/plugin/service-plugin.ts'
import type { WebhookSender } from '../contracts/plugin/webhooks.ts'
import { deliverer } from './deliverer.ts'
import { deliveriesRoute, type WebhookMethods } from './deliveries-route.ts'
import { webhookOpenapi } from './webhook-openapi.ts'
import type { JobWebhook, WebhookEvent } from '../contracts/job-webhook.ts'
import { receiverUrl, refusal } from './receiver-url.ts'
import { webhookMethods } from './webhook-methods.ts'

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
      const { take, settled, ...sending } = deliverer(checked, host)
      const methods = webhookMethods(host, checked, sending)
      return {
        createFields: { names: fieldNames, webhookOf: (values) => requestedWebhook(values, checked) },
        routes: [deliveriesRoute(methods.deliveries)],
        openapi: webhookOpenapi,
        methods,
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
  return {
    url: receiverUrl('webhook_url', url, sender),
    events: events === undefined || events === null ? allEvents : checkEvents(events),
  }
}

function checkEvents(events: unknown): readonly WebhookEvent[] {
  const knownEvents = Array.isArray(events) ? allEvents.filter((event) => events.includes(event)) : []
  if (Array.isArray(events) && knownEvents.length > 0 && knownEvents.length === events.length)
    return knownEvents
  throw refusal('webhook_events', `must be a list of one or both of ${allEvents.join(' and ')}.`)
}
