import { type Fault, withoutField } from './fault.ts'

/** Faults of the list of jobs. */
export const listFaults: Readonly<Record<string, Fault>> = {
  'lists the jobs of others': {
    service: (service) => ({ list: (request) => service.list({ ...request, owner: 'alice' }) }),
    caughtBy: [
      'the jobs of an owner are listed, the newest first, each once over all pages, and nobody else sees them',
    ],
  },
  'begins every page at the newest job': {
    service: (service) => ({
      list: async ({ after, ...request }) => {
        const page = await service.list(request)
        return after === undefined ? page : { jobs: page.jobs }
      },
    }),
    caughtBy: [
      'the jobs of an owner are listed, the newest first, each once over all pages, and nobody else sees them',
      'jobs that come between two pages do not move the second page',
    ],
  },
  'lists the oldest job first': {
    service: (service) => ({
      list: async (request) => {
        const page = await service.list(request)
        return { ...page, jobs: page.jobs.toReversed() }
      },
    }),
    caughtBy: [
      'the jobs of an owner are listed, the newest first, each once over all pages, and nobody else sees them',
      'each filter leaves out what it does not ask for',
    ],
  },
  'filters by nothing but metadata': {
    service: (service) => ({
      list: ({ owner, limit, after, metadata }) => service.list({ owner, limit, after, metadata }),
    }),
    caughtBy: ['each filter leaves out what it does not ask for'],
  },
  'ignores the limit of a page': {
    service: (service) => ({ list: (request) => service.list({ ...request, limit: 100 }) }),
    caughtBy: ['a page has 20 jobs unless the client asks for another number, and no more than it asks for'],
  },
  'leaves a field out of listed jobs': {
    reply: (reply) => withoutField(reply, 'timings'),
    caughtBy: ['a listed job is the job object that its own path gives'],
  },
  'forgets metadata': {
    service: (service) => ({ create: ({ metadata: _, ...request }) => service.create(request) }),
    caughtBy: [
      'metadata comes back with its job, not in its input, and a job without it has no such field',
      'metadata that is too much or no text is 400 with its name',
      'metadata is part of the body of an idempotency key',
    ],
  },
}
