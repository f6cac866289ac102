import { type AllJobsQuery, isFinished, type Job, type JobStore } from '@genmount/core'
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

/** A page of jobs. */
export interface FoundJobs {
  /** The jobs, the newest first. */
  readonly jobs: readonly Job[]
  /** The `before` of the next page. Absent when there are no older jobs. */
  readonly next?: string
}

/**
 * How many times one call reads from the store, how many jobs each time, and about how many characters. With fewer jobs in each
 * read there would be too many reads, and with more a page would take too long.
 */
const portions = { most: 5, jobs: 200, length: 2 ** 21 }

/**
 * Finds one page of jobs, also of those that have expired. A page may have fewer jobs than `limit`, or none, although older ones
 * follow.
 * @throws GenerationError `not_supported` when the job store can't list or find them
 */
export async function findJobs(store: JobStore, search: JobSearch): Promise<FoundJobs> {
  if (search.taskId !== undefined) return ofTask(store, search.taskId, search)
  const { owner, state, model, limit } = search
  const isFiltered = model !== undefined || (owner !== undefined && state !== undefined)
  const size = isFiltered ? portions.jobs : limit + 1
  const read = reader(store, search)
  const jobs: Job[] = []
  let { before } = search
  for (let portion = 0; portion < portions.most; portion++) {
    const listed = await read({ before, limit: size, maxLength: portions.length })
    if (listed.length === 0) return { jobs }
    for (const job of listed) {
      if (jobs.length === limit) return { jobs, next: before! }
      before = job.id
      if (isWanted(job, search)) jobs.push(job)
    }
  }
  return { jobs, next: before! }
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

async function ofTask(store: JobStore, taskId: string, search: JobSearch): Promise<FoundJobs> {
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
