import pg from 'pg'
import { sqlOf, statementNames } from '../../packages/backend-postgres/src/postgres/statements.ts'

/** The settings of a server that counts statements. */
export const countingFlags = ['shared_preload_libraries=pg_stat_statements', 'pg_stat_statements.track=top']

/** The current database. */
const database = '(SELECT oid FROM pg_database WHERE datname = current_database())'

/**
 * The counts of a database on a server with {@link countingFlags}.
 * @param schema the schema of the backend whose statements are counted under their names
 */
export async function statementCounts(url: string, schema: string) {
  const client = new pg.Client(url)
  await client.connect()
  await client.query('CREATE EXTENSION IF NOT EXISTS pg_stat_statements')
  const names = new Map(statementNames.map((name) => [shapeOf(sqlOf(name, schema)), name]))
  return {
    reset: async () => void (await client.query(`SELECT pg_stat_statements_reset(0, ${database}, 0)`)),
    /** The statements since the last reset, without those with which this counts. */
    async read() {
      const { rows } = await client.query(`
        SELECT query, calls FROM pg_stat_statements
        WHERE dbid = ${database}
          AND query NOT LIKE '%pg_stat_statements%'`)
      return rows.map(({ query, calls }) => ({
        name: String(names.get(shapeOf(query)) ?? query),
        calls: Number(calls),
      }))
    },
    end: () => client.end(),
  }
}

/** The SQL without spaces, and without what the server replaces by parameters when it counts. */
function shapeOf(sql: string): string {
  return sql.replaceAll(/'[^']*'|\$\d+|\b\d+\b|\bNULL\b|\bepoch\b/g, '?').replaceAll(/\s+/g, '')
}
