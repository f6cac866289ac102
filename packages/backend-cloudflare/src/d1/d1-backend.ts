import {
  batchBackend,
  newestVersion,
  type Row,
  type RunBatch,
  versionIn,
} from '@genmount/backend-sqlite/batches'
import {
  accepts,
  type Backend,
  checkClock,
  checkOptions,
  type Clock,
  optional,
  type OptionTable,
  systemClock,
} from '@genmount/core'
import type { D1 } from './d1-database.ts'

/** The options of `d1Backend`. */
export interface D1BackendOptions {
  /** The binding of a D1 database, such as `env.JOBS`. Its tables are those of the migrations of this package, and no others. */
  readonly database: D1
  /**
   * The clock for the timers of this worker. The time of day comes from the database, so that all workers agree.
   * @default `systemClock()`
   */
  readonly clock?: Clock | undefined
}

const table = {
  database: accepts<D1>(
    'the binding of a D1 database, such as env.JOBS',
    (database) => typeof (database as D1 | null | undefined)?.batch === 'function',
  ),
  clock: optional(checkClock),
} satisfies OptionTable<D1BackendOptions>

/**
 * Keeps jobs in a D1 database of Cloudflare, for any number of workers. It needs the tables of `migrations` in this package,
 * which `wrangler d1 migrations apply` makes. When the database does not answer, only the current call fails, and the next call
 * tries again.
 * @throws TypeError when an option is wrong
 * @example createGenerationService({ providers, plugins: [advance()], backend: d1Backend({ database: env.JOBS }) })
 */
export function d1Backend(options: D1BackendOptions): Backend {
  const { database, clock = systemClock() } = checkOptions('d1Backend', options, table)
  const run: RunBatch = async (statements) => {
    const prepared = statements.map(({ sql, args }) => database.prepare(sql).bind(...args))
    const answers = await database.batch(prepared)
    return answers.map(({ results }) => results as readonly Row[])
  }
  return batchBackend({ name: 'The D1 database', run, openSchema: () => checkSchema(run), clock })
}

/** @throws Error when the tables are older than this release */
async function checkSchema(run: RunBatch): Promise<void> {
  const version = await versionIn(run)
  if (version >= newestVersion) return
  const has = version === 0 ? 'it has no tables of genmount' : `its tables have version ${version}`
  throw new Error(
    `${has}, and this release needs version ${newestVersion}; apply the folder migrations of @genmount/backend-cloudflare with \`wrangler d1 migrations apply\``,
  )
}
