import type { DeliveryAttempt, JobWebhook } from '../contracts/job-webhook.ts'
import type { PluginRoute } from '../contracts/plugin-route.ts'

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
        ...Object.fromEntries(
          [400, 401, 403, 404, 429, 500, 503].map((status) => [
            status,
            { $ref: `#/components/responses/Error${status}` },
          ]),
        ),
      },
    }),
  }
}

/** The deliveries of a job, the latest first. */
function deliveryList({ attempts = [], dueAt }: Partial<JobWebhook> = {}) {
  return {
    object: 'list',
    data: attempts.toReversed().map(deliveryObject),
    next_attempt_at: dueAt === undefined ? null : timestamp(dueAt),
  }
}

function deliveryObject({ event, at, status, error }: DeliveryAttempt) {
  return {
    object: 'delivery',
    event,
    attempted_at: timestamp(at),
    status: error === undefined ? 'delivered' : 'failed',
    response_status: status ?? null,
    error: error ?? null,
  }
}

function timestamp(at: number): string {
  // oxlint-disable-next-line no-restricted-globals -- an instant as a text reads no clock
  return new Date(at).toISOString()
}
