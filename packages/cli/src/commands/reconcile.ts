import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Provider } from '@genmount/core'
import type { Session } from '../program/session.ts'
import { type UnknownTask, unknownTasks } from '../reconcile/unknown-tasks.ts'
import { chosenProviders } from '../server/chosen-providers.ts'
import { readConfig } from '../server/read-config.ts'
import { readSettings, type Settings } from '../server/settings.ts'
import { openBackend } from '../server/storage.ts'
import { writeTable } from '../terminal/table.ts'

/** The options of `reconcile`. */
export interface ReconcileCommandOptions {
  readonly config?: string
  readonly dataDir?: string
  /** @default 24 hours ago */
  readonly since?: number
  readonly json?: boolean
}

const dayMs = 86_400_000

/**
 * Lists the tasks of the server's vendors that no job knows.
 * @throws Error that names the vendors that could not be asked, after it has listed the tasks of the others
 */
export async function reconcile(session: Session, options: ReconcileCommandOptions): Promise<void> {
  const { env, stdout, stderr, signal } = session
  const { config: file, dataDir, since = Date.now() - dayMs, json } = options
  const variables = { ...env, ...(dataDir !== undefined && { DATA_DIR: dataDir }) }
  const config = file === undefined ? undefined : await readConfig(file, variables)
  const settings = readSettings(variables, config)
  const chosen = await chosenProviders(settings, config, variables)
  const providers = new Set(
    chosen.providers.flatMap<Provider>((one) =>
      'routes' in one ? one.routes.map((to) => to.provider) : one,
    ),
  )
  const silent = [...providers].filter(({ list }) => !list).map(({ name }) => name)
  if (silent.length === providers.size)
    throw new Error(`None of these providers can list its tasks: ${silent.join(', ')}.`)
  checkJobsKept(settings)

  // Nothing is to be woken, so Redis is not needed.
  const { backend, close } = await openBackend({ ...settings, redisUrl: undefined })
  try {
    await backend.ready?.()
    const tasks = await unknownTasks({ providers, jobs: backend.jobs, since, signal })
    signal.throwIfAborted()
    const records = tasks.tasks.map(recordOf)
    if (json) stdout.json(records, 2)
    else if (records.length > 0)
      writeTable(
        stdout,
        ['PROVIDER', 'TASK', 'MODEL', 'CREATED', 'STATE', 'USD', 'JOB', 'JOB STATE'],
        records.map((record) => Object.values(record).map((value) => `${value ?? ''}`)),
      )
    const { jobsWithoutTask: open, faults } = tasks
    stderr.line(`${tasks.tasks.length} tasks since ${new Date(since).toISOString()} are known to no job.`)
    if (open.length > 0)
      stderr.line(`Some may be of these jobs, whose task is not in the store: ${open.join(', ')}`)
    if (silent.length > 0) stderr.line(`Can't list tasks: ${silent.join(', ')}`)
    if (faults.length > 0)
      throw new Error(
        faults
          .map(({ provider, error }) => `${provider} could not list its tasks: ${(error as Error).message}`)
          .join(' '),
      )
  } finally {
    await backend.close()
    await close()
  }
}

/** A database file that is not there would be created, and know no task. */
function checkJobsKept({ databaseUrl, dataDir }: Settings): void {
  if (databaseUrl !== undefined) return
  if (dataDir === undefined)
    throw new Error(
      'Name what keeps the jobs of the server: --data-dir, DATA_DIR, DATABASE_URL, or --config.',
    )
  if (!existsSync(join(dataDir, 'jobs.db'))) throw new Error(`${dataDir} has no jobs.db.`)
}

/** What is not known is null. */
function recordOf(task: UnknownTask) {
  const { provider, handle, model = null, createdAt, state, costUsd, job, jobState } = task
  return {
    provider,
    task: typeof handle === 'string' ? handle : JSON.stringify(handle),
    model,
    created_at: createdAt === undefined ? null : new Date(createdAt).toISOString(),
    state,
    cost_usd: costUsd ?? null,
    job_id: job ?? null,
    job_state: jobState ?? null,
  }
}
