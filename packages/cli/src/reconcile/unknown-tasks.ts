import type { CostEntry, Job, JobStore, ListedTask, Provider } from '@genmount/core'

/** What `unknownTasks` compares. */
export interface ReconcileOptions {
  /** The providers of the service. Those without `list` are left out. */
  readonly providers: Iterable<Provider>
  /** The job store of the service: the `jobs` of its backend. */
  readonly jobs: JobStore
  /** Tasks that the vendors took on at this instant or later, in milliseconds since the Unix epoch. */
  readonly since: number
  /** Aborting it stops the requests to the vendors. */
  readonly signal: AbortSignal
}

/** A task of a vendor that no job knows. */
export interface UnknownTask extends Omit<ListedTask, 'callbackUrl'> {
  /** The name of the provider. */
  readonly provider: string
  /** The id of the job that has submitted the task, if the vendor's list shows it. */
  readonly job?: string | undefined
  /**
   * The phase of that job, its error code if it has failed, or `unknown` if the store does not have it. A job that is
   * `submitting` takes the task on when the service runs.
   */
  readonly jobState?: string | undefined
}

/** Why the list of a provider could not be read to its end. */
export interface ListFault {
  /** The name of the provider. */
  readonly provider: string
  /** What its `list` has thrown. */
  readonly error: unknown
}

/** What `unknownTasks` has found. */
export interface Reconciliation {
  /** The tasks that no job knows, each one once. */
  readonly tasks: readonly UnknownTask[]
  /** The providers whose lists could not be read to the end. What they listed before counts. */
  readonly faults: readonly ListFault[]
  /**
   * The jobs whose task the store does not know although a vendor may have taken it on: each may be the job of a task
   * in `tasks` that has no `job`.
   */
  readonly jobsWithoutTask: readonly string[]
}

/** Clocks of vendors and of the service may differ by this much. */
const hourMs = 3_600_000
const farFuture = 2 ** 52

/**
 * Asks the vendors for their tasks, and reports those that no job in the store knows. Changes nothing. Reads all
 * unfinished jobs, and those that have ended since.
 * @throws when the job store can't be read
 * @example
 * const { tasks } = await unknownTasks({ providers, jobs: backend.jobs, since, signal: AbortSignal.timeout(600_000) })
 */
export async function unknownTasks({
  providers,
  jobs,
  since,
  signal,
}: ReconcileOptions): Promise<Reconciliation> {
  const listed = new Map<string, UnknownTask & ListedTask>()
  const faults: ListFault[] = []
  const list = async (provider: Provider) => {
    try {
      for await (const task of provider.list?.(since, signal) ?? [])
        listed.set(`${provider.name} ${JSON.stringify(task.handle)}`, { ...task, provider: provider.name })
    } catch (error) {
      faults.push({ provider: provider.name, error })
    }
  }
  // The vendors first, so that the jobs of all tasks in their lists are in the store by now.
  await Promise.all(Array.from(providers, list))

  const settled = new Set<string>()
  const idsByToken = new Map<string, string>()
  const states = new Map<string, string>()
  const jobsWithoutTask = new Set<string>()
  for await (const { id, entry } of idsSince(jobs, since - hourMs)) {
    const job = await jobs.get(id)
    states.set(id, job?.error?.code ?? job?.phase ?? 'deleted')
    if (job) idsByToken.set(job.clientToken, id)
    if (job?.handle !== undefined) settled.add(JSON.stringify(job.handle)).add(job.clientToken)
    else if (job ? job.phase === 'completed' : entry) settled.add(id)
    if (mayHaveTask(job, entry)) jobsWithoutTask.add(id)
  }

  const tasks: UnknownTask[] = []
  for (const { callbackUrl, ...task } of listed.values()) {
    const { clientToken = '', handle } = task
    const job = idsByToken.get(clientToken) ?? jobOf(callbackUrl)
    if (job !== undefined) jobsWithoutTask.delete(job)
    if ([JSON.stringify(handle), clientToken, job ?? ''].some((mark) => settled.has(mark))) continue
    tasks.push({ ...task, job, jobState: job === undefined ? undefined : (states.get(job) ?? 'unknown') })
  }
  return { tasks, faults, jobsWithoutTask: [...jobsWithoutTask] }
}

interface JobId {
  readonly id: string
  /** The entry of the ledger of a job that has finished. */
  readonly entry?: CostEntry
}

/** The ids of all jobs that have not finished, and of those that have finished since. A job may come twice. */
async function* idsSince(jobs: JobStore, from: number): AsyncGenerator<JobId> {
  // At an instant so late, all unfinished jobs are due, and no claim is live any more.
  for (const id of await jobs.due(farFuture, farFuture)) yield { id }
  for (let after: CostEntry | undefined; ;) {
    const entries = (await jobs.costs?.({ from, to: farFuture, after, limit: 1000 })) ?? []
    for (const entry of entries) yield { id: entry.job, entry }
    after = entries.at(-1)
    if (!after) return
  }
}

function mayHaveTask(job: Job | undefined, entry: CostEntry | undefined): boolean {
  if (!job) return entry?.startedAt !== undefined
  const { handle, phase, error } = job
  return (
    handle === undefined &&
    (phase === 'submitting' || phase === 'completed' || error?.code === 'submit_ambiguous')
  )
}

/** The id of the job in one of our callback URLs: `callbackPath` of core. */
function jobOf(callbackUrl: string | undefined): string | undefined {
  return /\/v1\/callbacks\/[^/]+\/(gen_\w+)\//.exec(callbackUrl ?? '')?.[1]
}
