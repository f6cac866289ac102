import { checkWebhookSender } from '../contracts/check-contract.ts'
import type { ServicePlugin } from '../contracts/service-plugin.ts'
import type { WebhookSender } from '../contracts/webhooks.ts'
import { deliverer } from './deliverer.ts'
import { requestedWebhook } from './requested-webhook.ts'

/**
 * Notifies clients when their jobs have finished: a create may have a `webhook_url`. All processes that share a backend
 * need it. `signedWebhooks({ ... })` of `@genmount/webhooks` is this plugin with a sender that signs.
 * @param sender makes one try to send a webhook
 * @throws TypeError when the sender is wrong
 */
export function webhooks(sender: WebhookSender): ServicePlugin {
  const checked = checkWebhookSender('webhooks', sender)
  return {
    name: 'webhooks',
    attach(host) {
      const { take, settled } = deliverer(checked, host)
      return {
        webhookOf: (wish) => requestedWebhook(wish, checked),
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
