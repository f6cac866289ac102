import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Miniflare } from 'miniflare'
import { repo } from '../processes/repo.ts'

/** The migrations for wrangler, in the order in which it applies them. */
export function d1Migrations(): string[] {
  const folder = join(repo, 'packages/backend-cloudflare/migrations')
  return globSync('*.sql', { cwd: folder })
    .toSorted()
    .map((file) => readFileSync(join(folder, file), 'utf8'))
}

/** Applies the migrations to a D1 database of the worker. */
export async function migratedD1(worker: Miniflare, binding: string): Promise<void> {
  const database = await worker.getD1Database(binding)
  for (const migration of d1Migrations()) {
    // A statement ends where the next line without indentation begins. `exec` would take each line for a statement.
    for (const sql of migration.split(/;\n+(?=(?!END)[A-Z]|$)/))
      if (sql.trim()) await database.prepare(sql).run()
  }
}
