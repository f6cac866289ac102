import { postgresBackend } from './postgres-backend.ts'
import { postgresMigrations } from './migrations.ts'

const usage = `Usage: backend-postgres migrate [--schema NAME] [--dry-run]

Creates the tables of @genmount/backend-postgres, or brings them up to date, in the database of DATABASE_URL.

  --schema NAME  the Postgres schema (default: genmount)
  --dry-run      print the SQL from nothing to the newest version, and connect to no database
`

/**
 * Runs the command line tool.
 * @param arguments_ the arguments after the name of the tool
 * @returns the exit code of the process
 */
export async function migrateCommand(
  arguments_: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Promise<number> {
  const { schema, isDryRun, isRight } = parsed(arguments_)
  if (!isRight) return fail(usage)
  try {
    if (isDryRun) {
      for (const { version, sql } of postgresMigrations({ schema }))
        console.log(`-- Version ${version}\n${sql}`)
      return 0
    }
    const connectionString = env['DATABASE_URL']
    if (!connectionString) return fail('Set DATABASE_URL to the URL of the database, or add --dry-run.')
    const { Pool } = (await import('pg')).default
    const pool = new Pool({ connectionString, max: 2 })
    const backend = postgresBackend({ pool, schema })
    // The timers of a backend keep no process alive, so without this one the process could end before the work does.
    const alive = setInterval(() => {}, 1000)
    await backend.ready?.().finally(async () => {
      await backend.close()
      await pool.end()
      clearInterval(alive)
    })
    console.log(`The schema ${schema ?? 'genmount'} is up to date.`)
    return 0
  } catch (error) {
    return fail(error instanceof Error ? error.message : String(error))
  }
}

function fail(message: string): number {
  console.error(message)
  return 1
}

function parsed([command, ...flags]: readonly string[]) {
  const rest = [...flags]
  let schema: string | undefined
  let isDryRun = false
  let isRight = command === 'migrate'
  for (let flag = rest.shift(); flag !== undefined; flag = rest.shift()) {
    if (flag === '--dry-run') isDryRun = true
    else if (flag === '--schema' && rest.length > 0) schema = rest.shift()
    else isRight = false
  }
  return { schema, isDryRun, isRight }
}
