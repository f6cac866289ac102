import type { Job } from '../contracts/job.ts'
import type { PluginHost } from '../contracts/plugin/plugin-host.ts'
import type { WebhookSender } from '../contracts/plugin/webhooks.ts'
import { GenerationError } from '../errors/generation-error.ts'
import { wantsDelivery } from '../job/delivered-job.ts'
import { randomUuid } from '../job/job-id.ts'
import { isFinished } from '../job/job-state.ts'
import type { Deliverer } from './deliverer.ts'
import type { WebhookMethods } from './deliveries-route.ts'
import { receiverUrl } from './receiver-url.ts'

/** Makes what the plugin `webhooks` adds to a service. */
export function webhookMethods(
  { jobs, clock, read }: PluginHost,
  sender: WebhookSender,
  { oweAgain, tryOnce }: Pick<Deliverer, 'oweAgain' | 'tryOnce'>,
): WebhookMethods {
  /** Reads a job, whoever owns it. */
  async function readAny(id: string): Promise<Job> {
    const job = await jobs.get(id)
    return read(id, job?.owner ?? '')
  }

  return {
    deliveries: async (id, owner) => (await read(id, owner)).webhook,

    async deliverAgain(id) {
      const job = await readAny(id)
      if (!isFinished(job))
        throw new GenerationError(
          'job_processing',
          'The job is still processing. Its webhook is sent when it has finished.',
        )
      if (!wantsDelivery(job))
        throw new GenerationError(
          'invalid_request',
          `The job has ${job.phase}, of which its client wants no webhook.`,
        )
      return (await oweAgain(job)) ?? readAny(id)
    },

    async testWebhook({ url, owner }) {
      const at = clock.now()
      const event = 'webhook.test'
      const receiver = receiverUrl('url', url, sender)
      const delivery = {
        id: `test_${randomUuid()}`,
        event,
        job: exampleJob(owner, at),
        url: receiver,
        at,
      } as const
      return { event, ...(await tryOnce(delivery)) }
    },
  }
}

/** A completed job without outputs, which stands in the body of a test. */
function exampleJob(owner: string, at: number): Job {
  return {
    id: 'gen_test',
    owner,
    model: 'webhook-test',
    outputKind: 'image',
    phase: 'completed',
    revision: 1,
    shownInput: {},
    clientToken: '',
    retentionDays: 0,
    createdAt: at,
    completedAt: at,
    expiresAt: at,
    deadlineAt: at,
    attempts: 0,
    outputs: [],
    costUsd: 0,
    isCostKnown: true,
    inferenceMs: 0,
  }
}
