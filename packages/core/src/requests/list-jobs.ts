import type { Job } from '../contracts/job.ts'
import type { JobStore } from '../contracts/storage/job-store.ts'
import type { OutputKind } from '../contracts/provider.ts'
import { accepts, choice, count, instant, optional, text } from '../errors/check-option.ts'
import { checkOptions, type OptionTable } from '../errors/check-options.ts'
import { GenerationError } from '../errors/generation-error.ts'
import { idsFrom } from '../job/job-id.ts'
import { isFinished } from '../job/job-state.ts'
import { type JobPage, pageOfJobs } from './page-of-jobs.ts'
import { isShown } from './read-job.ts'

/** Selects the jobs of a list. Instants are milliseconds since the Unix epoch. */
export interface JobListRequest {
  /** The owner of the jobs. */
  readonly owner: string
  /** The most jobs on one page: a whole number from 1 to 100. @default 20 */
  readonly limit?: number | undefined
  /** The `next` of the page before. @default the newest jobs */
  readonly after?: string | undefined
  /** Only jobs with this status. @default every status */
  readonly status?: 'processing' | 'completed' | 'failed' | undefined
  /** Only jobs of the model with this id. @default every model */
  readonly model?: string | undefined
  /** Only jobs that make this kind of output. @default every kind */
  readonly outputKind?: OutputKind | undefined
  /** Only jobs that were created at this instant or later. @default all */
  readonly createdFrom?: number | undefined
  /** Only jobs that were created before this instant. @default all */
  readonly createdBefore?: number | undefined
  /** Only jobs whose metadata has all these keys with these values. @default all */
  readonly metadata?: Readonly<Record<string, string>> | undefined
}

const table = {
  owner: text('the name of an owner'),
  limit: optional(count(1, 100), 20),
  after: optional(text('`next` of the page before')),
  status: optional(choice('processing', 'completed', 'failed')),
  model: optional(text('the id of a model')),
  outputKind: optional(choice('image', 'video')),
  createdFrom: optional(instant),
  createdBefore: optional(instant),
  metadata: optional(accepts<Readonly<Record<string, string>>>('an object with texts', hasTexts)),
} satisfies OptionTable<JobListRequest>

/** Lists one page of an owner's jobs, as documented at `GenerationService.list`. */
export async function listJobs(
  jobs: JobStore,
  readNow: () => number,
  request: JobListRequest,
): Promise<JobPage> {
  const { owner, limit, after, createdFrom, createdBefore, ...wanted } = checkOptions('list', request, table)
  if (!jobs.list)
    throw new GenerationError(
      'not_supported',
      'This service does not list jobs: its job store has no list().',
    )
  const { status, model, outputKind, metadata = {} } = wanted
  const pairs = Object.entries(metadata)
  const from = createdFrom === undefined ? undefined : idsFrom(createdFrom)
  const until = createdBefore === undefined ? undefined : idsFrom(createdBefore)

  // A store may treat two names as equal, because its texts can't hold every character.
  const isWanted = (job: Job) =>
    job.owner === owner &&
    isShown(job, readNow()) &&
    (status === undefined || status === (isFinished(job) ? job.phase : 'processing')) &&
    (model === undefined || model === job.model) &&
    (outputKind === undefined || outputKind === job.outputKind) &&
    pairs.every(
      ([key, value]) => job.metadata && Object.hasOwn(job.metadata, key) && job.metadata[key] === value,
    )

  const { list } = jobs
  return pageOfJobs((portion) => list({ owner, from, ...portion }), {
    limit,
    before: after === undefined || (until !== undefined && until < after) ? until : after,
    isFiltered: Object.values(wanted).some((value) => value !== undefined),
    isWanted,
  })
}

function hasTexts(value: unknown): boolean {
  return (
    typeof value === 'object' &&
    value !== null &&
    Object.values(value).every((part) => typeof part === 'string')
  )
}
