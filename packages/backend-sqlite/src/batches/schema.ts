import { migrations } from '../sqlite/migrations.ts'
import { type BatchStatement, type RunBatch, statement } from './batch.ts'

/** The statement that makes the table of the migrations that were made. */
export const migrationsTable =
  'CREATE TABLE IF NOT EXISTS schema_versions (version INTEGER NOT NULL PRIMARY KEY)'

/** The version of the schema that this release needs. */
export const newestVersion = migrations.length

/**
 * Brings the schema up to date. If several processes start at the same time, one of them migrates: the batch of another fails
 * as a whole, because the version is there already. A schema of a newer release is left as it is, because migrations only add.
 */
export async function migrateSchema(run: RunBatch): Promise<void> {
  for (;;) {
    const version = await versionIn(run)
    if (version >= newestVersion) return
    try {
      await run(statementsAfter(version))
    } catch (error) {
      if ((await versionIn(run)) === version) throw error
    }
  }
}

/**
 * The version of the schema; 0 when there is none.
 * @throws the error of the database
 */
export async function versionIn(run: RunBatch): Promise<number> {
  try {
    const [rows] = await run([statement('SELECT max(version) AS version FROM schema_versions', {})])
    return Number(rows?.[0]?.['version'] ?? 0)
  } catch (error) {
    if (/no such table/.test(String(error))) return 0
    throw error
  }
}

function statementsAfter(version: number): BatchStatement[] {
  const versioned = migrations
    .slice(version)
    .flatMap((migration, index) => [
      `INSERT INTO schema_versions (version) VALUES (${version + index + 1})`,
      ...statementsIn(migration),
    ])
  return [migrationsTable, ...versioned].map((text) => statement(text, {}))
}

/** The statements of a migration. A trigger ends with a line of its own, and contains statements. */
function statementsIn(migration: string): string[] {
  const texts = migration.matchAll(/\s*(CREATE TRIGGER[^]*?\n\s*END|[^]*?);\s*(?=\n|$)/g)
  return [...texts].map(([, text = '']) => text)
}
