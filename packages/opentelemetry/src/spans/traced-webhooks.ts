import type { WebhookSender } from '@genmount/core'
import type { Tracer } from '../client/tracer.ts'
import { inSpan } from './in-span.ts'

/**
 * Wraps webhooks, so that each try makes a span. A span has the host of the receiver, but not the path, which may be
 * secret.
 */
export function tracedWebhooks(webhooks: WebhookSender, tracer: Tracer): WebhookSender {
  return {
    ...webhooks,
    send(delivery) {
      const { id, event, job, url } = delivery
      const attributes = {
        'genmount.delivery.id': id,
        'genmount.delivery.event': event,
        'genmount.job.id': job.id,
        'server.address': URL.parse(url)?.hostname ?? '',
      }
      return inSpan(
        tracer,
        { name: `deliver ${event}`, kind: 2, attributes },
        () => webhooks.send(delivery),
        (answer) => {
          if ('error' in answer) return { attributes: {}, errorType: 'no_answer', message: answer.error }
          const { status } = answer
          const hasArrived = status >= 200 && status < 300
          return {
            attributes: { 'http.response.status_code': status },
            ...(!hasArrived && { errorType: String(status) }),
          }
        },
      )
    },
  }
}
