import { GenerationError, type Job } from '@genmount/core'
import { openapiDocument } from '@genmount/v1-interface/openapi'
import { type Fault, withJson, withoutField, withStatus } from './fault.ts'

/** Faults in what a server shows of jobs and models. */
export const jobFaults: Readonly<Record<string, Fault>> = {
  'shows a job to another owner': {
    service: (service) => ({
      get: (id, owner) => service.get(id, owner).catch(() => service.get(id, other(owner))),
    }),
    caughtBy: [
      'unknown, foreign and expired jobs are the same to the byte, but for the request id',
      "an owner can't find out by trying keys, ids or files what another has made",
      "the file of a job that is unknown or another owner's is 404 job_not_found",
    ],
  },
  'lets slip that a job belongs to somebody else': {
    service: (service) => ({
      async get(id, owner) {
        try {
          return await service.get(id, owner)
        } catch (error) {
          const isForeign = await service.get(id, other(owner)).then(Boolean, () => false)
          throw isForeign ? new GenerationError('job_not_found', 'No job of yours.') : error
        }
      },
    }),
    caughtBy: ['unknown, foreign and expired jobs are the same to the byte, but for the request id'],
  },
  'keeps showing an expired job': {
    service(service) {
      const seen = new Map<string, Job>()
      return {
        async get(id, owner) {
          const job = await service.get(id, owner).catch((error: unknown) => {
            const kept = seen.get(owner + id)
            if (kept) return kept
            throw error
          })
          seen.set(owner + id, job)
          return job
        },
      }
    },
    caughtBy: ['an expired job is gone: the job, its files, and outputs that were handed out'],
  },
  'moves the end of a job each time it is read': {
    service(service) {
      // Not by the clock: two reads can be in the same millisecond.
      let reads = 0
      return {
        async get(id, owner) {
          const job = await service.get(id, owner)
          return { ...job, expiresAt: job.expiresAt + ++reads }
        },
      }
    },
    caughtBy: [
      'a job is kept for retention_days times 24 hours, and its end never moves',
      'a finished job never changes again',
    ],
  },
  'shares idempotency keys between routes': {
    service: (service) => ({
      create: ({ idempotency, ...request }) =>
        service.create(idempotency ? { ...request, idempotency: { ...idempotency, scope: '' } } : request),
    }),
    caughtBy: ['a key belongs to its route'],
  },
  'hides the inputs and prices of its models': {
    service: (service) => ({
      models: service.models.map(({ id, outputKind, input: { '~standard': standard } }) => {
        const { version, vendor, validate } = standard
        return { id, outputKind, input: { '~standard': { version, vendor, validate } } }
      }),
    }),
    caughtBy: [
      'a model shows its price, its usual duration and the JSON Schema of its input, or null',
      'in the OpenAPI document, model decides what else the body of a create has',
    ],
  },
  'leaves a field of its models out': {
    reply: (reply) => withoutField(reply, 'created'),
    caughtBy: ['the list of models has each model once, with the fields that all models have'],
  },
  'refuses an unknown model like a wrong body': {
    reply: (reply) => (reply.status === 404 ? withStatus(reply, 400) : reply),
    caughtBy: ['a model that does not exist is 404 model_not_found'],
  },
  'does not know ids with an encoded slash': {
    url: (url) => void (url.pathname = url.pathname.replace('%2F', '%252F')),
    caughtBy: ['a model is found by its id, with the slash in it percent-encoded or not'],
  },
  'shows its OpenAPI document to everybody': {
    options: { openapi: openapiDocument({ access: 'public' }) },
    caughtBy: ['the OpenAPI document needs a key, and serves GET, HEAD and OPTIONS'],
  },
  'has no OpenAPI document': {
    options: { openapi: undefined },
    caughtBy: [
      'the OpenAPI document is of version 3.1 and names the address of this server',
      'the OpenAPI document has the paths of the interface and the 16 fields of the job object',
    ],
  },
  'answers a new job with 200': {
    reply: (reply) => (reply.status === 202 ? withStatus(reply, 200) : reply),
    caughtBy: [
      'each create endpoint accepts a job with 202 and the whole job object',
      'a wait beyond the budget is a 202 with a job that can be polled',
    ],
  },
  'leaves a field of the job out': {
    reply: (reply) => withJson(reply, ({ timings: _, ...job }) => job),
    caughtBy: ['a job shows exactly the 16 fields of the interface in its order, wherever it is shown'],
  },
  'shows the fields of the job in another order': {
    reply: (reply) =>
      withJson(reply, ({ id, ...job }) => ('object' in job ? { ...job, id } : { id, ...job })),
    caughtBy: ['a job shows exactly the 16 fields of the interface in its order, wherever it is shown'],
  },
  'shows a field more than the interface has': {
    reply: (reply) => withJson(reply, (job) => ('urls' in job ? { ...job, owner: 'alice' } : job)),
    caughtBy: ['a job shows exactly the 16 fields of the interface in its order, wherever it is shown'],
  },
}

function other(owner: string): string {
  return owner === 'alice' ? 'bob' : 'alice'
}
