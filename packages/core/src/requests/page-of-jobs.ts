import type { Job } from '../contracts/job.ts'
import type { JobQuery } from '../contracts/storage/job-store.ts'

/** One page of jobs. */
export interface JobPage {
  /**
   * The jobs, the newest first, without their `task`. A page may have fewer jobs than `limit`, or none, although older
   * jobs follow: one call reads at most 1,000 jobs and returns at most about 10 million characters.
   */
  readonly jobs: readonly Job[]
  /** The `after` of the next page. Absent when there are no older jobs. */
  readonly next?: string
}

/** Which jobs make up a page. */
export interface PageRequest {
  /** The most jobs on the page. */
  readonly limit: number
  /** Only jobs with an earlier id. @default all */
  readonly before: string | undefined
  /** Whether `isWanted` leaves out many jobs that the store lists. */
  readonly isFiltered: boolean
  /** Whether the page has the job. */
  readonly isWanted: (job: Job) => boolean
}

/**
 * How many times one call reads from the store, how many jobs each time, and about how many characters. With fewer jobs
 * in each read there would be too many reads, and with more they might not fit into memory.
 */
const portions = { most: 5, jobs: 200, length: 2 ** 21 }

/** Reads one page of a list of a job store. @param read reads a portion of it, the last id first */
export async function pageOfJobs(
  read: (portion: Pick<JobQuery, 'before' | 'limit' | 'maxLength'>) => Promise<readonly Job[]>,
  { limit, isFiltered, isWanted, ...request }: PageRequest,
): Promise<JobPage> {
  const size = isFiltered ? portions.jobs : limit + 1
  const jobs: Job[] = []
  let { before } = request
  for (let portion = 0; portion < portions.most; portion++) {
    const listed = await read({ before, limit: size, maxLength: portions.length })
    if (listed.length === 0) return { jobs }
    for (const job of listed) {
      if (jobs.length === limit) return { jobs, next: before! }
      before = job.id
      if (isWanted(job)) jobs.push(job)
    }
  }
  return { jobs, next: before! }
}
