import type { Job } from '../contracts/job.ts'
import type { DeliveryAttempt, JobWebhook } from '../contracts/job-webhook.ts'
import type { PluginRoute } from '../contracts/plugin/plugin-route.ts'
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

  /**
   * Delivers the webhook of a finished job again, for an operator: the job owes its delivery from now on, and a process tries
   * at once. Failed tries are repeated as those of every delivery, up to three days after the end of the job. While a try is
   * under way, nothing changes. The receiver gets the `webhook-id` of the first delivery.
   * @param id the id of the job, whoever owns it
   * @returns the job, which is in the store
   * @throws GenerationError `job_not_found`; `job_processing` when the job has not finished; `invalid_request` when its client
   *   wants no webhook for how it has ended
   * @example await service.deliverAgain(job.id)
   */
  deliverAgain(id: string): Promise<Job>

  /**
   * Sends one webhook of the type `webhook.test` to a receiver, signed and guarded as every delivery. It is not repeated.
   * @returns the try
   * @throws GenerationError `invalid_request`, with the param `url`, for a URL to which no webhook may be sent
   * @example const { error } = await service.testWebhook({ url: 'https://app.example/hook', owner: 'alice' })
   */
  testWebhook(test: WebhookTest): Promise<WebhookTestAttempt>
}

/** A receiver to try. */
export interface WebhookTest {
  /** The URL of the receiver. */
  readonly url: string
  /** The owner with whose secrets the webhook is signed. */
  readonly owner: string
}

/** A try to send a webhook of the type `webhook.test`. Otherwise as a {@link DeliveryAttempt}. */
export interface WebhookTestAttempt extends Omit<DeliveryAttempt, 'event'> {
  /** The event that was sent. */
  readonly event: 'webhook.test'
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
