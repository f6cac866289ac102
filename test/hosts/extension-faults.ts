import { GenerationError, type JobWatcher } from '@genmount/core'
import type { Fault } from './faults.ts'

const isCancel = (request: Request) => request.method === 'POST' && request.url.endsWith('/cancel')

const isEvents = (request: Request) => request.url.endsWith('/events')

const told = (watcher: JobWatcher): JobWatcher => ({
  onChange: (job) => watcher.onChange(job),
  onNews: (news) => watcher.onNews(news),
  onLook: () => watcher.onLook?.(),
  onEnd: () => watcher.onEnd(),
})

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
  'holds events back until the job has ended': {
    reply: async (reply, request) =>
      isEvents(request) && reply.status === 200
        ? new Response(await reply.text(), { headers: reply.headers })
        : reply,
    caughtBy: ['events arrive while the job runs, and not when it has ended'],
  },
  'sends a state again to who has seen it': {
    request(request) {
      if (isEvents(request)) request.headers.delete('last-event-id')
      return request
    },
    caughtBy: [
      'who connects again with the id of the last state gets what comes after it',
      'a job that has finished is told at once, and never again to who has got its end: 204',
    ],
  },
  'tells the events of the jobs of others': {
    service: (service) => ({
      ...service,
      get: (id) => service.get(id, 'alice'),
      watch: (id, _owner, watcher) => service.watch(id, 'alice', watcher),
    }),
    caughtBy: ['the events of a job that is unknown or of another owner are 404'],
  },
  'keeps to itself what its providers tell': {
    service: (service) => ({
      ...service,
      watch: (id, owner, watcher) => service.watch(id, owner, { ...told(watcher), onNews() {} }),
    }),
    caughtBy: [
      'the events of a job begin with its state, go on with what its provider tells, and end with the finished job',
      'events arrive while the job runs, and not when it has ended',
    ],
  },
  'ends its events without their end': {
    service: (service) => ({
      ...service,
      watch: (id, owner, watcher) =>
        service.watch(id, owner, {
          ...told(watcher),
          onChange: (job) => void (job.completedAt === undefined && watcher.onChange(job)),
        }),
    }),
    caughtBy: [
      'the events of a job begin with its state, go on with what its provider tells, and end with the finished job',
      'who connects again with the id of the last state gets what comes after it',
      'a job that has finished is told at once, and never again to who has got its end: 204',
    ],
  },
}
