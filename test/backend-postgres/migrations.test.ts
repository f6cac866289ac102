import { readFileSync } from 'node:fs'
import pg from 'pg'
import { beforeAll, expect, test } from 'vitest'
import { postgresBackend, postgresMigrations } from '@genmount/backend-postgres'
import { toStoredJob } from '@genmount/core'
import { exampleJob } from '@genmount/testing'
import { databaseOfFile, newSchema, poolOf } from '../postgres/temporary-database.ts'
import { runProgram } from '../processes/run-program.ts'
import { scriptCommand } from '../processes/start-server.ts'
import { nodeOn } from './two-nodes.ts'

let url: string
beforeAll(async () => {
  url = await databaseOfFile()
})

/** All tables, columns and indexes of a schema, without its name. */
async function shapeOf(pool: pg.Pool, schema: string): Promise<unknown> {
  const columns = await pool.query(
    `SELECT table_name, column_name, data_type, is_nullable FROM information_schema.columns
    WHERE table_schema = $1 ORDER BY 1, 2`,
    [schema],
  )
  const indexes = await pool.query(
    `SELECT indexdef FROM pg_indexes WHERE schemaname = $1 ORDER BY indexname`,
    [schema],
  )
  const defined = indexes.rows.map(({ indexdef }) => String(indexdef).replaceAll(schema, '?'))
  return { columns: columns.rows, defined }
}

const faultOf = (ready: Promise<void> | undefined) =>
  ready?.then(
    () => 'none',
    (error: Error) => error.message,
  )

test.each([1, 2, 3])(
  'twenty nodes that start at the same moment migrate the schema once (round %i)',
  async () => {
    const schema = newSchema()
    const nodes = Array.from({ length: 20 }, () => nodeOn(url, schema, { max: 2 }))
    await Promise.all(nodes.map(({ backend }) => backend.ready?.()))
    const { rows } = await poolOf(url).query(`SELECT version FROM ${schema}.versions ORDER BY version`)
    expect(rows).toEqual(postgresMigrations().map(({ version }) => ({ version })))
    await nodes[0]?.jobs.insert(exampleJob())
    expect(await nodes[19]?.jobs.get('job-1')).toEqual(exampleJob())
  },
)

test('the README of backend-postgres names the newest version of the schema', async () => {
  const readme = readFileSync(new URL('../../packages/backend-postgres/README.md', import.meta.url), 'utf8')
  expect(readme).toContain(`Version ${postgresMigrations().length} (the newest in the table \`versions\`)`)
})

test('a job of a schema of any earlier version goes on after the migration to the newest', async () => {
  for (const { version } of postgresMigrations().slice(0, -1)) {
    const { pool, schema, backend, jobs } = nodeOn(url)
    for (const { sql } of postgresMigrations({ schema }).slice(0, version)) await pool.query(sql)
    const { shownInput, input, ...rest } = exampleJob()
    const { id, owner, phase, revision, expiresAt, dueAt = 0 } = rest
    // Releases before wrote the fields in the order in which the job had them.
    const text = JSON.stringify({ ...rest, task: input, input: shownInput })
    await pool.query(
      `INSERT INTO ${schema}.jobs (id, owner, phase, revision, due_at, expires_at, job) VALUES ($1, $2, $3, $4, $5, $6, $7)`,
      [id, owner, phase, revision, dueAt, expiresAt, text],
    )
    await backend.ready?.()
    expect(await jobs.get(id)).toEqual(exampleJob())
    expect(await jobs.due(dueAt - 1, 10)).toEqual([])
    expect(await jobs.due(dueAt, 10)).toEqual([id])
    const running = exampleJob({ revision: 2, phase: 'running', dueAt: dueAt + 1000 })
    expect(await jobs.replace(running, 1)).toBe('replaced')
    expect(await jobs.get(id)).toEqual(running)
    expect(await jobs.due(dueAt + 999, 10)).toEqual([])
    expect(await jobs.due(dueAt + 1000, 10)).toEqual([id])
  }
})

test('a failure of a process of an earlier release, before or after the migration, is listed as one', async () => {
  const { pool, schema, backend, jobs } = nodeOn(url)
  for (const { sql } of postgresMigrations({ schema }).slice(0, 10)) await pool.query(sql)
  const fails = async (id: string) => {
    const job = exampleJob({ id, phase: 'failed', completedAt: 5 })
    const text = JSON.stringify(toStoredJob(job))
    await pool.query(
      `INSERT INTO ${schema}.jobs (id, owner, phase, revision, expires_at, job) VALUES ($1, $2, 'running', 1, $3, '{}')`,
      [id, job.owner, job.expiresAt],
    )
    // Such a process knows no column for failures.
    const { rowCount } = await pool.query(
      `UPDATE ${schema}.jobs SET phase = 'failed', delete_at = expires_at, job = $2 WHERE id = $1`,
      [id, text],
    )
    expect(rowCount).toBe(1)
  }
  await fails('before')
  await backend.ready?.()
  await fails('later')
  const page = { limit: 10, maxLength: 100_000 }
  const idsOf = async (state: 'failed' | 'completed') =>
    (await jobs.listAll!({ ...page, state })).map(({ id }) => id)
  expect(await idsOf('failed')).toEqual(['later', 'before'])
  expect(await idsOf('completed')).toEqual([])
  await pool.query(`UPDATE ${schema}.jobs SET phase = 'running', delete_at = NULL WHERE id = 'later'`)
  expect(await idsOf('failed')).toEqual(['before'])
})

test("with migrate: 'check', ready rejects when the schema is missing, and creates nothing", async () => {
  const { pool, schema, backend } = nodeOn(url, newSchema(), { migrate: 'check' })
  expect(await faultOf(backend.ready?.())).toBe(
    `The job database (schema ${schema}) can't be used: it does not exist, and this release needs 11; migrate it with \`npx @genmount/backend-postgres migrate --schema ${schema}\`.`,
  )
  const { rows } = await pool.query('SELECT FROM pg_namespace WHERE nspname = $1', [schema])
  expect(rows).toEqual([])
  await nodeOn(url, schema).backend.ready?.()
  expect(await faultOf(backend.ready?.())).toBe('none')
})

test('a schema made by hand with postgresMigrations is the same, and a user without the right to change it can use it', async () => {
  const pool = poolOf(url)
  const [byHand, byItself] = [newSchema(), newSchema()]
  for (const { sql } of postgresMigrations({ schema: byHand })) await pool.query(sql)
  await nodeOn(url, byItself).backend.ready?.()
  expect(await shapeOf(pool, byHand)).toEqual(await shapeOf(pool, byItself))

  const user = `user_of_${byHand}`
  await pool.query(`CREATE ROLE ${user} LOGIN PASSWORD 'hush'`)
  await pool.query(`GRANT USAGE ON SCHEMA ${byHand} TO ${user}`)
  await pool.query(`GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA ${byHand} TO ${user}`)
  await pool.query(`GRANT USAGE ON ALL SEQUENCES IN SCHEMA ${byHand} TO ${user}`)
  const asUser = url.replace(/\/\/.*@/, `//${user}:hush@`)
  for (const migrate of ['auto', 'check', false] as const) {
    const { backend, jobs } = nodeOn(asUser, byHand, { migrate })
    await backend.ready?.()
    const task = { prompt: 'a fox '.repeat(1000) }
    const id = `job of ${migrate}`
    expect(await jobs.insert(exampleJob({ id, input: task }))).toEqual({ outcome: 'inserted' })
    await jobs.delete(id)
  }
})

test('a newer schema is used if its version says that this release may use it, and refused otherwise', async () => {
  const { pool, schema, backend } = nodeOn(url)
  await backend.ready?.()
  await pool.query(`INSERT INTO ${schema}.versions VALUES (98, 1)`)
  expect(await faultOf(nodeOn(url, schema).backend.ready?.())).toBe('none')
  await pool.query(`INSERT INTO ${schema}.versions VALUES (99, 98)`)
  expect(await faultOf(nodeOn(url, schema).backend.ready?.())).toBe(
    `The job database (schema ${schema}) can't be used: its schema has version 99, which releases from version 98 on can use, and this release knows 11; use the release of @genmount/backend-postgres that has migrated it, or a newer one.`,
  )
})

test('a process of version 6 goes on beside this release, and the jobs that it ends no longer count as reserved', async () => {
  const { pool, schema, jobs } = nodeOn(url)
  const span = { from: 0, costsFrom: 0 }
  for (const id of ['running', 'ended'])
    await jobs.insert(exampleJob({ id, phase: 'running', reservedUsd: 3 }))
  // As that release writes: it knows no column of reservations.
  const { createdAt, expiresAt } = exampleJob()
  const columns = 'id, owner, idempotency_key, phase, revision, due_at, claimed_until, claimed_by, expires_at'
  await pool.query(
    `INSERT INTO ${schema}.jobs (${columns}, delete_at, job, task_part, input_part, stored_bytes)
    VALUES ('begun', 'alice', NULL, 'accepted', 1, 1, NULL, NULL, $1, NULL, $2, NULL, NULL, NULL)`,
    [expiresAt, JSON.stringify(exampleJob({ id: 'begun' }))],
  )
  await pool.query(`UPDATE ${schema}.jobs SET revision = 2, stored_bytes = NULL WHERE id = 'running'`)
  await pool.query(
    `UPDATE ${schema}.jobs SET phase = 'completed', revision = 2, delete_at = expires_at WHERE id = 'ended'`,
  )
  await pool.query(
    `INSERT INTO ${schema}.costs
      (job_id, owner, model, provider, outcome, cost_usd, created_at, started_at, ended_at, outputs)
    VALUES ('ended', 'alice', 'm', 'p', 'completed', 2.5, $1, $1, $1, 1)`,
    [createdAt],
  )
  expect(await jobs.spending?.('alice', [span])).toEqual([
    { spentMicroUsd: 2_500_000, reservedMicroUsd: 3_000_000, grantedMicroUsd: 0 },
  ])
  const budget = { ...span, mostMicroUsd: 8_500_000 }
  const insert = (id: string) => jobs.insert(exampleJob({ id, reservedUsd: 3 }), undefined, [budget])
  expect(await insert('fits')).toEqual({ outcome: 'inserted', takenMicroUsd: [5_500_000] })
  expect(await insert('no more')).toEqual({ outcome: 'over_budget', takenMicroUsd: [8_500_000] })
})

test('ready rejects with words when the encoding of the database is not UTF8', async () => {
  const name = `latin_${newSchema()}`
  await poolOf(url).query(`CREATE DATABASE ${name} ENCODING 'LATIN1' TEMPLATE template0`)
  const pool = poolOf(url.replace(/\/[^/]+$/, `/${name}`))
  const backend = postgresBackend({ pool })
  expect(await faultOf(backend.ready?.())).toContain(
    'its encoding is LATIN1; create a database with the encoding UTF8',
  )
  await backend.close()
})

async function commanded(args: string[], env: Record<string, string> = {}): Promise<string> {
  const script = new URL('../../packages/backend-postgres/src/migrate.ts', import.meta.url)
  const { exit, stdout, stderr } = await runProgram(scriptCommand('node', script, ...args), { env })
  return exit === 0 ? stdout : `${exit}: ${stderr}`
}

test('the migrate command makes the schema, or with --dry-run prints the SQL that makes it', async () => {
  const pool = poolOf(url)
  const [printed, made] = [newSchema(), newSchema()]
  await pool.query(await commanded(['migrate', '--dry-run', '--schema', printed]))
  expect(await commanded(['migrate', '--schema', made], { DATABASE_URL: url })).toContain(
    `${made} is up to date`,
  )
  expect(await shapeOf(pool, printed)).toEqual(await shapeOf(pool, made))
  expect(await faultOf(nodeOn(url, printed, { migrate: 'check' }).backend.ready?.())).toBe('none')
})

test('the migrate command says what is wrong with its arguments or with the database', async () => {
  expect(await commanded(['migrate', '--dryrun'])).toMatch(/^1: Usage: /)
  expect(await commanded(['migrate'], { DATABASE_URL: '' })).toMatch(/^1: Set DATABASE_URL/)
  const closed = url.replace(/:\d+\//, ':1/')
  expect(await commanded(['migrate'], { DATABASE_URL: closed })).toMatch(
    /^1: .*no server accepts connections there/,
  )
})

test('entries of the ledger count in the sums of their days: those before the migration, and those that version 8 writes beside it', async () => {
  const { pool, schema, backend, jobs } = nodeOn(url)
  for (const { sql } of postgresMigrations({ schema }).slice(0, 8)) await pool.query(sql)
  const { createdAt } = exampleJob()
  const columns =
    'job_id, owner, model, provider, outcome, cost_usd, created_at, started_at, ended_at, outputs, reserved_micro_usd'
  const replacing = `ON CONFLICT (job_id) DO UPDATE SET outcome = excluded.outcome, cost_usd = excluded.cost_usd,
    ended_at = excluded.ended_at, reserved_micro_usd = excluded.reserved_micro_usd`
  const write = (id: string, costUsd: number | null, day: number, outputs: number | null = 1) =>
    pool.query(
      `INSERT INTO ${schema}.costs (${columns})
      VALUES ($1, 'alice', 'm', 'p', $2, $3, $4, $4, $5, $6, $7) ${replacing}`,
      [
        id,
        costUsd === null ? 'failed' : 'completed',
        costUsd,
        createdAt,
        createdAt + day * 86_400_000,
        outputs,
        costUsd === null ? 2_000_000 : null,
      ],
    )
  await write('old', 0.25, 0, null)
  await write('unknown', null, 0)
  await backend.ready?.()
  const rows = async () => {
    const query = { owner: 'alice', from: createdAt, to: createdAt + 9 * 86_400_000, limit: 9 }
    const sums = await jobs.dailyUsage?.({ ...query, groupBy: ['day'] })
    return sums?.map(({ day = 0, ...row }) => [
      (day - createdAt) / 86_400_000,
      row.jobs,
      row.spentMicroUsd,
      row.reservedMicroUsd,
    ])
  }
  expect(await rows()).toEqual([[0, 2, 250_000, 2_000_000]])
  await write('beside', 0.5, 1)
  await write('unknown', 0.125, 1)
  expect(await rows()).toEqual([
    [0, 1, 250_000, 0],
    [1, 2, 625_000, 0],
  ])
})

test('a role whose rights are from before the sums goes on ending jobs', async () => {
  const { pool, schema } = nodeOn(url)
  for (const { sql } of postgresMigrations({ schema }).slice(0, 8)) await pool.query(sql)
  const user = `earlier_${schema}`
  await pool.query(`CREATE ROLE ${user} LOGIN PASSWORD 'hush'`)
  await pool.query(`GRANT USAGE ON SCHEMA ${schema} TO ${user}`)
  await pool.query(`GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA ${schema} TO ${user}`)
  await nodeOn(url, schema).backend.ready?.()
  const { jobs } = nodeOn(url.replace(/\/\/.*@/, `//${user}:hush@`), schema, { migrate: false })
  await jobs.insert(exampleJob())
  const { input: _task, ...done } = exampleJob({ phase: 'completed', revision: 2 })
  expect(await jobs.replace(done, 1)).toBe('replaced')
})
