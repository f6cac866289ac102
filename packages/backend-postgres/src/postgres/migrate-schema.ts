import { migrationLock, migrationsAfter, newestVersion } from './migrations.ts'
import type { PostgresClient } from './postgres-pool.ts'

/** The state of a schema. */
interface Found {
  /** 0 when there is no schema yet. */
  readonly version: number
  /** The oldest version whose releases may use it. */
  readonly oldestReader: number
}

/**
 * Brings the schema up to date, or only checks it. Each migration is a transaction. If several processes start at the
 * same time, one of them migrates and the others wait. A schema that is up to date is only read.
 * @throws Error when the schema is too old and may not be migrated, or too new
 */
export async function migrateSchema(
  client: PostgresClient,
  schema: string,
  mayMigrate: boolean,
): Promise<void> {
  let { version } = checked(await find(client, schema))
  if (version >= newestVersion) return
  if (!mayMigrate) {
    const is = version === 0 ? 'it does not exist' : `it has version ${version}`
    throw new Error(
      `${is}, and this release needs ${newestVersion}; migrate it with \`npx @genmount/backend-postgres migrate --schema ${schema}\``,
    )
  }
  while (version < newestVersion) version = await migrateOnce(client, schema)
}

async function find(client: PostgresClient, schema: string): Promise<Found> {
  // `to_regclass` is not used, because within a transaction it may answer from a cache that does not know what other
  // transactions have just created.
  const named = await client.query({
    text: `SELECT FROM pg_tables WHERE schemaname = '${schema}' AND tablename = 'versions'`,
  })
  if (named.rows.length === 0) return { version: 0, oldestReader: 0 }
  const { rows } = await client.query({
    text: `SELECT version, oldest_reader FROM ${schema}.versions ORDER BY version DESC LIMIT 1`,
  })
  return { version: Number(rows[0]?.version ?? 0), oldestReader: Number(rows[0]?.oldest_reader ?? 0) }
}

function checked(state: Found): Found {
  if (state.oldestReader <= newestVersion) return state
  throw new Error(
    `its schema has version ${state.version}, which releases from version ${state.oldestReader} on can use, and this release knows ${newestVersion}; use the release of @genmount/backend-postgres that has migrated it, or a newer one`,
  )
}

/** Runs the next migration, unless another process has been faster. @returns the version of the schema after it */
async function migrateOnce(client: PostgresClient, schema: string): Promise<number> {
  await client.query({ text: 'BEGIN' })
  try {
    await client.query({ text: migrationLock(schema) })
    const { version } = checked(await find(client, schema))
    const [next] = migrationsAfter(version, schema)
    if (next) {
      // The right to create schemas is needed only if the schema does not exist.
      const { rows } = await client.query({ text: `SELECT FROM pg_namespace WHERE nspname = '${schema}'` })
      if (rows.length === 0) await client.query({ text: `CREATE SCHEMA ${schema}` })
      await client.query({ text: next.sql })
    }
    await client.query({ text: 'COMMIT' })
    return next?.version ?? version
  } catch (error) {
    await client.query({ text: 'ROLLBACK' }).catch(() => {})
    throw error
  }
}
