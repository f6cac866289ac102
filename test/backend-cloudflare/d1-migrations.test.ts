import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { migrateSchema, type RunBatch } from '@genmount/backend-sqlite/batches'
import { d1Migrations } from '../workerd/migrated-d1.ts'

/** All that makes up a schema, without the layout of its texts and the order in which it was made. */
function schemaOf(database: DatabaseSync): string[] {
  const rows = database.prepare(`SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY name`).all()
  const texts = rows.map(({ sql }) => String(sql).replace(/\s+/g, ' '))
  return texts.map((text) => text.replace(/ ?([(),]) ?/g, '$1').replace('IF NOT EXISTS ', ''))
}

function versionsIn(database: DatabaseSync) {
  return database.prepare('SELECT max(version) AS version FROM schema_versions').get()
}

test('the migrations for wrangler make the schema that a database gets which migrates itself', async () => {
  const [byFiles, byItself] = [new DatabaseSync(':memory:'), new DatabaseSync(':memory:')]
  for (const migration of d1Migrations()) byFiles.exec(migration)
  const run: RunBatch = async (statements) =>
    statements.map(({ sql, args }) => byItself.prepare(sql).all(...args))
  await migrateSchema(run)
  expect(schemaOf(byFiles)).toEqual(schemaOf(byItself))
  expect(schemaOf(byFiles).length).toBeGreaterThan(15)
  expect(versionsIn(byFiles)).toEqual(versionsIn(byItself))
})
