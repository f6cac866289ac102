import {
  cursorOf,
  GenerationError,
  type Job,
  limitTo,
  oneOf,
  type PluginHost,
  type PluginRoute,
  readQuery,
} from '@genmount/core'
import { findJobs } from '../jobs/find-jobs.ts'
import { shownJobs } from '../jobs/shown-jobs.ts'
import { startUnlessClosing } from '../plugin/service-of.ts'
import { listObject } from '../wire/list-object.ts'
import { placeCursor, ownerParameter, textUpTo, usualLimit } from '../wire/read-query.ts'

const jobId = /^gen_[\w-]{1,100}$/

/** The id of a job that may be one of this service, whoever wrote it. */
function idIn(value: unknown): string | undefined {
  return typeof value === 'string' && jobId.test(value) ? value : undefined
}

const parameters = {
  state: oneOf('unfinished', 'completed', 'failed', 'owing'),
  owner: ownerParameter,
  model: textUpTo(1000, 'the id of a model'),
  task_id: textUpTo(1000, 'the id of a task at its vendor'),
  limit: limitTo(100),
  cursor: placeCursor(idIn),
}

/** `GET /v1/operator/jobs` and `GET /v1/operator/jobs/{id}`: the jobs of all owners. */
export function jobRoutes(host: PluginHost): readonly PluginRoute[] {
  return [
    {
      method: 'GET',
      path: '/v1/operator/jobs',
      async answer({ query }) {
        startUnlessClosing(host)
        const { cursor, task_id: taskId, limit = usualLimit, ...search } = readQuery(query, parameters)
        const { jobs, next } = await findJobs(host.jobs, { ...search, taskId, limit, before: cursor })
        return { json: listObject(await shownJobs(host, jobs), next && cursorOf(next)) }
      },
    },
    {
      method: 'GET',
      path: '/v1/operator/jobs/:id',
      async answer({ params: { id = '' } }) {
        startUnlessClosing(host)
        const job = await readJob(host, id)
        const [shown] = await shownJobs(host, [job])
        const deliveries = shown!.webhook?.attempts ?? []
        return { json: { ...shown!, input: job.shownInput, deliveries } }
      },
    },
  ]
}

/** Reads a job, whoever owns it. @throws GenerationError `job_not_found`, also for one that was deleted */
export async function readJob({ jobs }: Pick<PluginHost, 'jobs'>, id: string): Promise<Job> {
  const job = idIn(id) === undefined ? undefined : await jobs.get(id)
  if (job && job.deletedAt === undefined) return job
  throw new GenerationError('job_not_found', 'There is no such job, or it was deleted.')
}
