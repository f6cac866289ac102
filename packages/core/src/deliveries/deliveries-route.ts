import type { DeliveryAttempt, JobWebhook } from '../contracts/job-webhook.ts'
import type { PluginRoute } from '../contracts/plugin-route.ts'
import { instantText } from '../text/instant-text.ts'

/** What the plugin `webhooks` adds to a service. */
export interface WebhookMethods {
  /**
   * Reads the state of the webhook of the owner's job: the latest tries, and when the next try is. The only secret in
   * it may be the URL, which the owner has set.
   * @returns `undefined` when the job has no webhook
   * @throws GenerationError `job_not_found`
   * @example const { attempts = [], dueAt } = (await service.deliveries(job.id, 'alice')) ?? {}
   */
  deliveries(id: string, owner: string): Promise<JobWebhook | undefined>
}

/** GET /v1/jobs/{id}/deliveries: the tries to deliver the webhook of a job. */
export function deliveriesRoute(deliveriesOf: WebhookMethods['deliveries']): PluginRoute {
  return {
    method: 'GET',
    path: '/v1/jobs/:id/deliveries',
    answer: async ({ owner, params: { id = '' } }) => ({ json: deliveryList(await deliveriesOf(id, owner)) }),
    operation: () => ({
      operationId: 'listDeliveries',
      summary: 'Lists the latest tries to deliver the webhook of a job, the latest first.',
      parameters: [{ $ref: '#/components/parameters/jobId' }],
      responses: {
        200: {
          description: 'The tries.',
          headers: { 'x-request-id': { $ref: '#/components/headers/x-request-id' } },
          content: { 'application/json': { schema: { $ref: '#/components/schemas/DeliveryList' } } },
        },
        404: { $ref: '#/components/responses/Error404' },
        503: { $ref: '#/components/responses/Error503' },
      },
    }),
  }
}

/** The deliveries of a job, the latest first. */
function deliveryList({ attempts = [], dueAt }: Partial<JobWebhook> = {}) {
  return {
    object: 'list',
    data: attempts.toReversed().map(deliveryObject),
    next_attempt_at: dueAt === undefined ? null : instantText(dueAt),
  }
}

function deliveryObject({ event, at, status, error }: DeliveryAttempt) {
  return {
    object: 'delivery',
    event,
    attempted_at: instantText(at),
    status: error === undefined ? 'delivered' : 'failed',
    response_status: status ?? null,
    error: error ?? null,
  }
}
