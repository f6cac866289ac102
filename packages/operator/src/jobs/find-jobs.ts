import {
  type AllJobsQuery,
  isFinished,
  type Job,
  type JobPage,
  type JobStore,
  pageOfJobs,
} from '@genmount/core'
import { needed } from '../plugin/service-of.ts'

/** Which jobs an operator looks for. */
export interface JobSearch {
  readonly state?: AllJobsQuery['state']
  readonly owner?: string | undefined
  readonly model?: string | undefined
  /** The id of the task at the vendor. */
  readonly taskId?: string | undefined
  /** The id of the last job of the page before. @default the newest jobs */
  readonly before?: string | undefined
  /** The most jobs on one page. */
  readonly limit: number
}

/**
 * Finds one page of jobs, also of those that have expired. A page may have fewer jobs than `limit`, or none, although older ones
 * follow.
 * @throws GenerationError `not_supported` when the job store can't list or find them
 */
export async function findJobs(store: JobStore, search: JobSearch): Promise<JobPage> {
  if (search.taskId !== undefined) return ofTask(store, search.taskId, search)
  const { owner, state, model, limit, before } = search
  return pageOfJobs(reader(store, search), {
    limit,
    before,
    isFiltered: model !== undefined || (owner !== undefined && state !== undefined),
    isWanted: (job) => isWanted(job, search),
  })
}

/** Reads portions of the list of one owner, or of the list of all jobs in a state. */
function reader(store: JobStore, { owner, state }: JobSearch) {
  type Portion = Pick<AllJobsQuery, 'before' | 'limit' | 'maxLength'>
  if (owner === undefined) {
    const listAll = needed(store.listAll, 'The job store does not list the jobs of all owners')
    return (portion: Portion) => listAll({ state, ...portion })
  }
  const list = needed(store.list, 'The job store does not list jobs')
  return (portion: Portion) => list({ owner, ...portion })
}

async function ofTask(store: JobStore, taskId: string, search: JobSearch): Promise<JobPage> {
  const findByTaskId = needed(store.findByTaskId, 'The job store does not find jobs by the ids of vendors')
  const ids = await findByTaskId(taskId, search.limit)
  const jobs = await Promise.all(ids.map((id) => store.get(id)))
  const wanted = jobs.filter((job) => job !== undefined).filter((job) => isWanted(job, search))
  return { jobs: wanted.toSorted((one, other) => (one.id < other.id ? 1 : -1)) }
}

/** Leaves out deleted jobs, of which only the idempotency key is kept. */
function isWanted(job: Job, { owner, model, state }: JobSearch): boolean {
  return (
    job.deletedAt === undefined &&
    (owner === undefined || owner === job.owner) &&
    (model === undefined || model === job.model) &&
    isIn(state, job)
  )
}

function isIn(state: JobSearch['state'], job: Job): boolean {
  if (state === 'unfinished') return !isFinished(job)
  if (state === 'owing') return isFinished(job) && job.dueAt !== undefined
  return state === undefined || job.phase === state
}
