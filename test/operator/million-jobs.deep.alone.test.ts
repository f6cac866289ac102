import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { sqliteBackend } from '@genmount/backend-sqlite'
import {
  type Backend,
  createGenerationService,
  type GenerationService,
  isFinished,
  type Json,
  memoryFileStore,
  type Provider,
  type ProviderReport,
} from '@genmount/core'
import { limits } from '@genmount/core/limits'
import { usage } from '@genmount/core/usage'
import { webhooks } from '@genmount/core/webhooks'
import { operator } from '@genmount/operator'
import { type FakeBehaviour, fakeProvider, fakeWebhooks, quietLog } from '@genmount/testing'
import { createV1Interface } from '@genmount/v1-interface'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { nodeOn } from '../backend-postgres/two-nodes.ts'
import { databaseOfFile } from '../postgres/temporary-database.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { until } from '../until.ts'
import { filling, size, templateTask } from './fill-million-jobs.ts'
import { clientKeys, keys, operatorKeys } from './operated.ts'

const dayMs = 24 * 60 * 60_000
/** How long a request may take, in milliseconds. */
const mostMs = 300

/** What becomes of the task of each job. Running tasks are polled again in ten minutes, when the test is over. */
const behaviours: Readonly<Record<string, FakeBehaviour>> = {
  completed: { delayMs: 0 },
  owing: { delayMs: 0 },
  failed: { delayMs: 0, failure: { code: 'provider_rejected' } },
  running: { delayMs: 3_600_000, pollAfterMs: 600_000 },
}

/** A provider by whose tasks jobs can be found: the handle of each is a text. */
function provider(): Provider {
  const fake = fakeProvider({ behave: ({ input }) => behaviours[String(input['prompt'])] ?? {} })
  const handles = new Map<string, Json>()
  const named = (jobId: string, report: ProviderReport): ProviderReport => {
    if (report.state !== 'running') return report
    handles.set(jobId, report.handle)
    return { ...report, handle: templateTask }
  }
  return {
    ...fake,
    submit: async (task, call) => named(task.jobId, await fake.submit(task, call)),
    poll: async (task, call) =>
      named(task.jobId, await fake.poll({ ...task, handle: handles.get(task.jobId)! }, call)),
  }
}

function serviceOver(backend: Backend): GenerationService {
  const plugins = [
    limits({ spendUsdPerDay: 1e6, balance: false }, { reserveUsd: { 'fake-image': 1, 'fake-video': 1 } }),
    usage(),
    // The receiver wants the next try in an hour, when the test is over.
    webhooks(fakeWebhooks(() => ({ status: 503, retryAfterMs: 3_600_000 }))),
    operator({ authenticate: operatorKeys }),
  ]
  const service = createGenerationService({
    providers: [provider()],
    backend: { ...backend, close: async () => {} },
    files: memoryFileStore(),
    log: quietLog(),
    plugins,
  })
  afterAll(async () => void (await service.close({ timeoutMs: 5000 })))
  return service
}

/** The jobs of which a million are made: one that has completed, one that has failed, one that runs, one that owes a delivery. */
async function templates(service: GenerationService): Promise<Readonly<Record<string, string>>> {
  const ids: Record<string, string> = {}
  for (const prompt of ['completed', 'failed', 'running', 'owing']) {
    const hook = prompt === 'owing' ? { webhook_url: 'https://receiver.example/' } : {}
    const input = { prompt, ...hook }
    const { job } = await service.create({ owner: 'alice', keyId: 'key-1', model: 'fake-image', input })
    ids[prompt] = job.id
  }
  const stateOf = async (id: string) => service.get(id, 'alice')
  await until(async () => isFinished(await stateOf(ids['completed']!)))
  await until(async () => isFinished(await stateOf(ids['failed']!)))
  await until(async () => ((await stateOf(ids['owing']!)).webhook?.failed ?? 0) > 0)
  await until(async () => (await stateOf(ids['running']!)).phase === 'running')
  return ids
}

const usageBy = [
  'day',
  'model',
  'key',
  'owner',
  'day,model',
  'owner,key',
  'day,model,key',
  'owner,day,model,key',
]

function thirtyDaysAgo(): string {
  return new Date(Date.now() - 29 * dayMs).toISOString().slice(0, 10)
}

/** Asks every GET route, and the further pages and searches of the list. @returns how long each took, in milliseconds */
async function measured(service: GenerationService, ids: Readonly<Record<string, string>>) {
  const v1 = createV1Interface(service, { authenticate: clientKeys })
  const headers: Record<string, string> = { host: 'media.test', authorization: `Bearer ${keys.maria}` }
  async function ask(path: string) {
    const from = performance.now()
    const target = `/v1/operator${path}`
    const reply = await v1({
      method: 'GET',
      path: target,
      target,
      mountPath: '',
      scheme: 'http',
      header: (name) => headers[name],
      headers: () => headers,
      body: () => ({ value: undefined }),
    } as Parameters<typeof v1>[0])
    const ms = performance.now() - from
    const json = JSON.parse(reply.body as string)
    expect(reply.status, `${path}: ${JSON.stringify(json).slice(0, 300)}`).toBe(200)
    return { ms, json }
  }

  const lists = [
    '/jobs',
    '/keys',
    '/audit',
    `/usage?from=${thirtyDaysAgo()}&group_by=owner,day,model&limit=100`,
  ]
  const paths = [
    '',
    `/jobs/${ids['completed']}`,
    ...lists,
    ...['unfinished', 'completed', 'failed', 'owing'].map((state) => `/jobs?state=${state}&limit=100`),
    '/jobs?owner=owner-7&limit=100',
    '/jobs?owner=owner-7&state=failed',
    '/jobs?model=fake-image&limit=100',
    '/jobs?model=nobody-has-it',
    '/jobs?task_id=task-500000',
    '/jobs?task_id=nobody-has-it',
    `/usage?from=${thirtyDaysAgo()}`,
    ...[...usageBy, 'owner&limit=100'].map((groups) => `/usage?from=${thirtyDaysAgo()}&group_by=${groups}`),
    `/usage?from=${thirtyDaysAgo()}&owner=owner-7&group_by=day`,
    '/budgets?owner=owner-7',
    '/grants',
    '/keys?owner=owner-7',
    '/audit?job=gen_000000050000',
  ]
  for (const path of lists) {
    const { json } = await ask(path)
    expect(json.has_more, path).toBe(true)
    paths.push(`${path}${path.includes('?') ? '&' : '?'}cursor=${encodeURIComponent(json.next_cursor)}`)
  }
  const times: Record<string, number> = {}
  for (const path of paths) {
    const { json } = await ask(path)
    // A page that is empty by mistake is fast.
    const rows =
      path.includes('nobody') || path === '/grants'
        ? 0
        : /task_id|job=|owner=.*failed|keys\?owner|group_by=model/.test(path)
          ? 1
          : 2
    if (json.object === 'list') expect(json.data.length, path).toBeGreaterThanOrEqual(rows)
    if (json.object === 'usage')
      expect(json.jobs, path).toBeGreaterThan(path.includes('owner=') ? 900 : 900_000)
    const runs: number[] = []
    for (let run = 0; run < 5; run++) runs.push((await ask(path)).ms)
    times[path.replace(/cursor=.*/, 'cursor')] =
      Math.round(runs.toSorted((one, other) => one - other)[2]! * 10) / 10
  }
  return times
}

function expectFast(store: string, times: Readonly<Record<string, number>>): void {
  console.log(`Milliseconds of each route of operators over ${size} jobs in ${store}:`, times)
  expect(Object.entries(times).filter(([, ms]) => ms > mostMs)).toEqual([])
}

/** What is measured once both stores are filled. */
interface Filled {
  readonly service: GenerationService
  readonly ids: Readonly<Record<string, string>>
}

async function fillSqlite(): Promise<Filled> {
  const file = join(temporaryFolder(afterAll), 'jobs.db')
  const backend = sqliteBackend({ file })
  afterAll(() => backend.close())
  const service = serviceOver(backend)
  const ids = await templates(service)
  const database = new DatabaseSync(file)
  database.exec('PRAGMA synchronous = OFF')
  database.exec(
    await filling(ids, {
      columnsOf: async (table) =>
        database
          .prepare(`SELECT name FROM pragma_table_info('${table}')`)
          .all()
          .map((row) => String(row['name'])),
      table: (name) => name,
      numbers: (from, to) =>
        `(WITH RECURSIVE each (n) AS (SELECT ${from} UNION ALL SELECT n + 1 FROM each WHERE n < ${to - 1}) SELECT n FROM each)`,
      padded: `printf('%011d', n)`,
    }),
  )
  database.exec(`
    DELETE FROM daily_usage;
    INSERT INTO daily_usage
      SELECT owner, day, model, key_id, count(*), 0, count(*), 0, count(*) * 10000, 0, 0 FROM counted_costs GROUP BY 1, 2, 3, 4`)
  database.close()
  return { service, ids }
}

/** Tells Postgres how to fill itself. @returns a promise of the end of that */
async function beginToFillPostgres(): Promise<{ readonly filled: Promise<Filled> }> {
  const { pool, schema, backend } = nodeOn(await databaseOfFile(), undefined, {}, afterAll)
  await backend.ready?.()
  const service = serviceOver(backend)
  const ids = await templates(service)
  const statements = await filling(ids, {
    columnsOf: async (table) => {
      const sql = `SELECT column_name FROM information_schema.columns WHERE table_schema = '${schema}' AND table_name = '${table}' AND is_generated = 'NEVER'`
      return (await pool.query(sql)).rows.map((row) => String(row.column_name))
    },
    table: (name) => `${schema}.${name}`,
    numbers: (from, to) => `generate_series(${from}, ${to - 1}) AS n`,
    padded: `lpad(n::text, 11, '0')`,
  })
  // The sums of so many entries at once would be merged by their next readers, 100,000 by each.
  const filled = pool.query(`
    ${statements};
    TRUNCATE ${schema}.daily_usage;
    INSERT INTO ${schema}.daily_usage
      SELECT owner, day, model, key_id, sum(jobs), sum(failed), sum(outputs), sum(output_ms), sum(spent_micro_usd),
        sum(unknown_costs), sum(reserved_micro_usd)
      FROM ${schema}.counted_costs GROUP BY owner, day, model, key_id;
    ANALYZE`)
  return { filled: filled.then(() => ({ service, ids })) }
}

let sqlite: Filled
let postgres: Filled
beforeAll(async () => {
  // Postgres fills itself while this process fills the SQLite file.
  const { filled } = await beginToFillPostgres()
  // A failure is awaited below.
  filled.catch(() => {})
  sqlite = await fillSqlite()
  postgres = await filled
})

test('every GET route of operators answers in less than 300 ms over a million jobs in SQLite', async () => {
  expectFast('SQLite', await measured(sqlite.service, sqlite.ids))
})

test('every GET route of operators answers in less than 300 ms over a million jobs in Postgres', async () => {
  expectFast('Postgres', await measured(postgres.service, postgres.ids))
})
