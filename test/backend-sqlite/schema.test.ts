import { readFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished, test } from 'vitest'
import { sqliteBackend } from '@genmount/backend-sqlite'
import { toStoredJob } from '@genmount/core'
import { exampleJob } from '@genmount/testing'
import { temporaryFile } from './temporary-file.ts'

const readme = readFileSync(new URL('../../packages/backend-sqlite/README.md', import.meta.url), 'utf8')
const idempotency = { key: 'key', fingerprint: 'f' }
const job = exampleJob({ phase: 'submitting', idempotency, revision: 3 })

/** A plain SQLite client on a file with one job in it. */
async function plainClient(): Promise<DatabaseSync> {
  const file = temporaryFile()
  const { jobs, close } = sqliteBackend({ file })
  await jobs.insert(job)
  const database = new DatabaseSync(file, { readOnly: true })
  onTestFinished(() => {
    database.close()
    return close()
  })
  return database
}

test('a plain SQLite client reads jobs and their tasks as columns and as JSON', async () => {
  const database = await plainClient()
  const { input, shownInput } = job
  expect(database.prepare(`SELECT *, job ->> '$.input.prompt' AS prompt FROM jobs`).all()).toEqual([
    {
      id: job.id,
      owner: 'alice',
      phase: 'submitting',
      revision: 3,
      due_at: job.dueAt,
      claimed_until: job.claim?.until,
      expires_at: job.expiresAt,
      idempotency_key: 'key',
      job: JSON.stringify({ ...toStoredJob(job), task: undefined, input: shownInput }),
      delete_at: null,
      stored_bytes: null,
      reserved_micro_usd: null,
      key_id: null,
      prompt: 'a fox in the snow',
    },
  ])
  expect(database.prepare('SELECT * FROM tasks').all()).toEqual([
    { id: 1, job_id: job.id, task: JSON.stringify(input) },
  ])
})

test('the README of backend-sqlite names every table, column and index of the file, and no other', async () => {
  const database = await plainClient()
  const named = (type: string) =>
    database
      .prepare(`SELECT name FROM sqlite_schema WHERE type = ? AND name NOT LIKE 'sqlite_%' ORDER BY name`)
      .all(type)
      .map(({ name }) => String(name))

  const sections = [...readme.matchAll(/^### `(\w+)`\n\n((?:\|.*\n)+)/gm)]
  expect(sections.map(([, table]) => table)).toEqual(named('table'))
  for (const [, table = '', rows = ''] of sections) {
    const documented = [...rows.matchAll(/^\| `(\w+)` +\| ([^|]+?) +\|/gm)].map(([, name, type]) => ({
      name,
      type,
    }))
    expect(documented).toEqual(columnsOf(database, table))
  }
  expect(
    [...readme.matchAll(/`((?:audit|jobs|costs|daily_usage|grants|uploads)_\w+)`/g)].map(
      ([, index]) => index,
    ),
  ).toEqual(named('index'))
  const { user_version: version } = database.prepare('PRAGMA user_version').get() ?? {}
  expect(readme).toContain(`Version ${version} (\`PRAGMA user_version\`)`)
})

test('the sqlite3 query in the README of backend-sqlite prints what the README says', async () => {
  const [, query = ''] = /^sqlite3 jobs\.db "(.+)"$/m.exec(readme) ?? []
  const database = await plainClient()
  expect(
    database
      .prepare(query)
      .all()
      .map((row) => Object.values(row)),
  ).toEqual([[job.id, 'submitting', 'fake-image', 0]])
})

function columnsOf(database: DatabaseSync, table: string) {
  const unique = database
    .prepare(
      `SELECT info.name FROM pragma_index_list(?) AS list, pragma_index_info(list.name) AS info
      WHERE list."unique" AND list.origin = 'u'`,
    )
    .all(table)
    .map(({ name }) => name)
  return database
    .prepare(`PRAGMA table_info(${table})`)
    .all()
    .map(({ name, type, notnull, pk }) => ({
      name,
      type: [
        notnull ? type : `${type} or NULL`,
        ...(pk ? ['primary key'] : []),
        ...(unique.includes(String(name)) ? ['unique'] : []),
      ].join(', '),
    }))
}
