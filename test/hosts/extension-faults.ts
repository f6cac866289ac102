import {
  GenerationError,
  type GenerationService,
  type JobWatcher,
  type Upload,
  type Uploads,
} from '@genmount/core'
import { type Fault, withJson, withStatus } from './fault.ts'

const isCancel = (request: Request) => request.method === 'POST' && request.url.endsWith('/cancel')

const isEvents = (request: Request) => request.url.endsWith('/events')

const passingOn = (watcher: JobWatcher): JobWatcher => ({
  onChange: (job) => watcher.onChange(job),
  onNews: (news) => watcher.onNews(news),
  onLook: () => watcher.onLook?.(),
  onEnd: () => watcher.onEnd(),
})
const isUpload = (request: Request) => request.method === 'POST' && request.url.endsWith('/uploads')

/** Faults at the endpoints beyond the base of the interface. */
export const extensionFaults: Readonly<Record<string, Fault>> = {
  'says that it cancels and does not': {
    service: (service) => ({ cancel: service.get }),
    caughtBy: ['a job that is canceled fails as canceled, and the same cancel again gives the same answer'],
  },
  'cancels only once': {
    service: (service) => ({
      async cancel(id, owner) {
        const { phase } = await service.get(id, owner)
        if (phase === 'failed') throw new GenerationError('job_finished', 'The job has finished.')
        return service.cancel(id, owner)
      },
    }),
    caughtBy: ['a job that is canceled fails as canceled, and the same cancel again gives the same answer'],
  },
  'cancels the jobs of others': {
    service: (service) => ({ cancel: (id) => service.cancel(id, 'alice') }),
    caughtBy: ['a job that is unknown or of another owner is 404 for a cancel'],
  },
  'reports a canceled job as one that has not ended': {
    reply: (reply, request) => (isCancel(request) && reply.status === 200 ? withStatus(reply, 202) : reply),
    caughtBy: ['a job that is canceled fails as canceled, and the same cancel again gives the same answer'],
  },
  'says that it deletes and does not': {
    service: (service) => ({ delete: async (id, owner) => void (await service.get(id, owner)) }),
    caughtBy: [
      'a finished job that is deleted is gone with its file, and so is a link that was given before',
      'a failed job can be deleted, too',
      'a create that repeats the idempotency key of a deleted job makes no other job',
      'a job that is processing is 409 job_processing for a delete, and goes on',
    ],
  },
  'deletes the jobs of others': {
    service: (service) => ({ delete: (id) => service.delete(id, 'alice') }),
    caughtBy: ['a job that is unknown or of another owner is 404 for a delete'],
  },
  'holds events back until the job has ended': {
    reply: async (reply, request) =>
      isEvents(request) && reply.status === 200
        ? new Response(await reply.text(), { headers: reply.headers })
        : reply,
    caughtBy: ['events arrive while the job runs, and not when it has ended'],
  },
  'sends a state again to who has seen it': {
    headers: (headers) => headers.delete('last-event-id'),
    caughtBy: [
      'a client that reconnects with the id of the last state gets only later events',
      'the end of a finished job is sent at once; a client that already has it gets 204',
    ],
  },
  'tells the events of the jobs of others': {
    service: (service) => ({
      get: (id) => service.get(id, 'alice'),
      watch: (id, _owner, watcher) => service.watch(id, 'alice', watcher),
    }),
    caughtBy: ['the events of a job that is unknown or of another owner are 404'],
  },
  'keeps to itself what its providers tell': {
    service: (service) => ({
      watch: (id, owner, watcher) => service.watch(id, owner, { ...passingOn(watcher), onNews() {} }),
    }),
    caughtBy: [
      'the events of a job begin with its state, go on with what its provider tells, and end with the finished job',
      'events arrive while the job runs, and not when it has ended',
    ],
  },
  'ends its events without their end': {
    service: (service) => ({
      watch: (id, owner, watcher) =>
        service.watch(id, owner, {
          ...passingOn(watcher),
          onChange: (job) => void (job.completedAt === undefined && watcher.onChange(job)),
        }),
    }),
    caughtBy: [
      'the events of a job begin with its state, go on with what its provider tells, and end with the finished job',
      'a client that reconnects with the id of the last state gets only later events',
      'the end of a finished job is sent at once; a client that already has it gets 204',
    ],
  },
  'stores uploads and tells no provider of them': {
    service: (service) =>
      withUploads(service, {
        store: async (owner, body) => ({
          ...(await stored(service, owner, body)),
          url: 'https://a.example/1.png',
        }),
      }),
    caughtBy: [
      'an upload is larger than other bodies may be, and a job that refers to it gets exactly its bytes',
    ],
  },
  'believes what the client says of the type of an upload': {
    reply: async (reply, request) => {
      if (!isUpload(request) || reply.status !== 201) return reply
      const said = { ...(await reply.json()), content_type: request.headers.get('content-type') }
      return Response.json(said, { status: 201, headers: reply.headers })
    },
    caughtBy: ['the type of an upload is that of its first bytes, whatever the client says'],
  },
  'takes uploads of any size': {
    service: (service) => withUploads(service, { maxBytes: 1e9 }),
    caughtBy: ['an upload that is announced too large is 413 before a byte of it comes'],
  },
  'deletes the uploads of others': {
    service: (service) =>
      withUploads(service, {
        delete: async (id) => {
          await service.uploads?.delete(id, 'alice')
        },
      }),
    caughtBy: ['an upload that is deleted is gone, and nobody deletes that of another owner'],
  },
  'says that it deletes uploads and does not': {
    service: (service) => withUploads(service, { delete: async () => {} }),
    caughtBy: ['an upload that is deleted is gone, and nobody deletes that of another owner'],
  },
  'takes uploads of all owners for those of one': {
    service: (service) => withUploads(service, { store: (_owner, body) => stored(service, 'alice', body) }),
    caughtBy: ['an upload that is unknown or of another owner is the same 400, which names the field'],
  },
  'waits for ever for the rest of an upload': {
    options: { bodyTimeoutMs: 600_000 },
    caughtBy: ['an upload that stands still is 408'],
  },
  'shows the deliveries of others': {
    service: (service) => ({
      routes: service.routes.map((route) => ({
        ...route,
        answer: (request) => route.answer({ ...request, owner: 'alice' }),
      })),
    }),
    caughtBy: ['the deliveries of a job that is unknown or of another owner are 404'],
  },
  'delivers nothing': {
    service: (service) => ({
      create: ({ input: { webhook_url: _, webhook_events: __, ...input }, ...request }) =>
        service.create({ ...request, input }),
    }),
    caughtBy: [
      'a job with a webhook_url delivers its end, and the tries are listed for its owner',
      'a webhook_url or webhook_events that is not accepted is 400 and names the field',
      'the same idempotency key with another webhook_url is 422',
    ],
  },
  'takes webhook_url for a field of the input': {
    service: () => ({ routes: [] }),
    caughtBy: [
      'a job with a webhook_url delivers its end, and the tries are listed for its owner',
      'the deliveries need a key, and other methods are refused',
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

function withUploads(service: GenerationService, changes: Partial<Uploads>): Partial<GenerationService> {
  return { uploads: service.uploads && { ...service.uploads, ...changes } }
}

async function stored(service: GenerationService, ...upload: Parameters<Uploads['store']>): Promise<Upload> {
  if (!service.uploads) throw new Error('The service takes no uploads.')
  return service.uploads.store(...upload)
}
