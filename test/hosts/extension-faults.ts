import { GenerationError } from '@genmount/core'
import { withJson } from './changed-messages.ts'
import type { Fault } from './faults.ts'

const isCancel = (request: Request) => request.method === 'POST' && request.url.endsWith('/cancel')

/** Faults at the endpoints beyond the base of the interface. */
export const extensionFaults: Readonly<Record<string, Fault>> = {
  'says that it cancels and does not': {
    service: (service) => ({ ...service, cancel: service.get }),
    caughtBy: ['a job that is cancelled fails as canceled, and the same cancel again gives the same answer'],
  },
  'cancels only once': {
    service: (service) => ({
      ...service,
      async cancel(id, owner) {
        const { phase } = await service.get(id, owner)
        if (phase === 'failed') throw new GenerationError('job_finished', 'The job has finished.')
        return service.cancel(id, owner)
      },
    }),
    caughtBy: ['a job that is cancelled fails as canceled, and the same cancel again gives the same answer'],
  },
  'cancels the jobs of others': {
    service: (service) => ({ ...service, cancel: (id) => service.cancel(id, 'alice') }),
    caughtBy: ['a job that is unknown or of another owner is 404 for a cancel'],
  },
  'reports a cancelled job as one that has not ended': {
    reply: (reply, request) =>
      isCancel(request) && reply.status === 200
        ? new Response(reply.body, { status: 202, headers: reply.headers })
        : reply,
    caughtBy: ['a job that is cancelled fails as canceled, and the same cancel again gives the same answer'],
  },
  'says that it deletes and does not': {
    service: (service) => ({ ...service, delete: async (id, owner) => void (await service.get(id, owner)) }),
    caughtBy: [
      'a finished job that is deleted is gone with its file, and so is a link that was given before',
      'a failed job can be deleted, too',
      'the idempotency key of a deleted job makes a new job',
      'a job that is processing is 409 job_processing for a delete, and goes on',
    ],
  },
  'deletes the jobs of others': {
    service: (service) => ({ ...service, delete: (id) => service.delete(id, 'alice') }),
    caughtBy: ['a job that is unknown or of another owner is 404 for a delete'],
  },
  'shows the deliveries of others': {
    service: (service) => ({ ...service, deliveries: (id) => service.deliveries(id, 'alice') }),
    caughtBy: ['the deliveries of a job that is unknown or of another owner are 404'],
  },
  'delivers nothing': {
    service: (service) => ({ ...service, create: ({ webhook: _, ...request }) => service.create(request) }),
    caughtBy: [
      'a job with a webhook_url delivers its end, and the tries are listed for its owner',
      'a webhook_url or webhook_events that is not accepted is 400 and names the field',
      'the same idempotency key with another webhook_url is 422',
    ],
  },
  'takes webhook_url for a field of the input': {
    service: (service) => ({ ...service, hasWebhooks: false }),
    caughtBy: [
      'a job with a webhook_url delivers its end, and the tries are listed for its owner',
      'the deliveries need the key, and no other method',
    ],
  },
  'goes on after a 410': {
    reply: (reply, request) =>
      request.url.endsWith('/deliveries')
        ? withJson(reply, (list) => ({ ...list, next_attempt_at: '2026-01-01T00:00:00.000Z' }))
        : reply,
    caughtBy: ['a receiver that answers 410 is not tried again'],
  },
}
