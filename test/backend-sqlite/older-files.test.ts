import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished, test } from 'vitest'
import { costEntryOf, type Job, toStoredJob } from '@genmount/core'
import { sqliteBackend } from '@genmount/backend-sqlite'
import { exampleJob } from '@genmount/testing'
import { migrations } from '../../packages/backend-sqlite/src/sqlite/migrations.ts'
import { temporaryFile } from './temporary-file.ts'

const idempotency = { key: 'key', fingerprint: 'f' }

/** The schema of the first release. */
const versionOne = `
  CREATE TABLE jobs (
    id TEXT NOT NULL PRIMARY KEY,
    owner TEXT NOT NULL,
    phase TEXT NOT NULL,
    revision INTEGER NOT NULL,
    due_at INTEGER,
    claimed_until INTEGER,
    expires_at INTEGER NOT NULL,
    idempotency_key TEXT UNIQUE,
    job TEXT NOT NULL
  );
  CREATE INDEX jobs_due ON jobs (due_at, claimed_until) WHERE due_at IS NOT NULL;
  CREATE INDEX jobs_expired ON jobs (expires_at) WHERE phase IN ('completed', 'failed');
  CREATE TABLE tasks (
    id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    job_id TEXT NOT NULL UNIQUE,
    task TEXT NOT NULL
  );`

const versionTwo = `${versionOne}
  ALTER TABLE jobs ADD COLUMN delete_at INTEGER;
  DROP INDEX jobs_expired;
  CREATE INDEX jobs_to_delete ON jobs (ifnull(delete_at, expires_at)) WHERE phase IN ('completed', 'failed');`

const versionThree = `${versionTwo}
  CREATE TABLE inputs (id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, job_id TEXT NOT NULL UNIQUE, input TEXT NOT NULL);
  CREATE TRIGGER input_goes_with_its_job AFTER DELETE ON jobs BEGIN
    DELETE FROM inputs WHERE job_id = old.id;
  END;`

/** A file with the schema of an older release. A process of that release still has the file open. */
function olderFile(version: number, schema: string) {
  const file = temporaryFile()
  const older = new DatabaseSync(file)
  onTestFinished(() => older.close())
  older.exec(schema)
  older.exec(`PRAGMA user_version = ${version}; PRAGMA journal_mode = WAL`)
  return { file, older }
}

test('a SQLite file of version 1 is migrated, and a process of the older release can go on using it', async () => {
  const { file, older } = olderFile(1, versionOne)
  const insert = older.prepare(
    `INSERT INTO jobs (phase, revision, due_at, claimed_until, expires_at, job, id, owner, idempotency_key)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const old = exampleJob({ id: 'old', phase: 'completed', idempotency })
  const late = exampleJob({ id: 'late', phase: 'failed', expiresAt: old.expiresAt + 1 })
  const write = (job: Job) =>
    insert.run(
      job.phase,
      job.revision,
      null,
      null,
      job.expiresAt,
      JSON.stringify(toStoredJob(job)),
      job.id,
      job.owner,
      job.idempotency?.key ?? null,
    )
  write(old)

  const { jobs, close } = sqliteBackend({ file })
  onTestFinished(close)
  expect(await jobs.get('old')).toEqual(old)
  expect(older.prepare('PRAGMA user_version').get()).toEqual({ user_version: 12 })
  write(late)
  expect(await jobs.list?.({ owner: 'alice', limit: 10, maxLength: 10_000 })).toEqual([old, late])
  expect(await jobs.expired(old.expiresAt - 1, 10)).toEqual([])
  expect(await jobs.expired(old.expiresAt, 10)).toEqual([old])
  expect(await jobs.expired(late.expiresAt, 10)).toEqual([old, late])
  const putOff = { ...old, revision: old.revision + 1, deleteAt: old.expiresAt + 5 }
  expect(await jobs.replace(putOff, old.revision)).toBe('replaced')
  expect(await jobs.expired(putOff.deleteAt - 1, 10)).toEqual([late])
  expect(await jobs.findByIdempotencyKey('key', old.createdAt)).toEqual(putOff)
})

/** Writes and reads jobs as version 2 did. */
function versionTwoStore(older: DatabaseSync) {
  const insert = older.prepare(
    `INSERT INTO jobs (phase, revision, due_at, claimed_until, expires_at, delete_at, job, id, owner, idempotency_key)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const insertTask = older.prepare('INSERT INTO tasks (job_id, task) VALUES (?, ?)')
  const update = older.prepare(
    'UPDATE jobs SET phase = ?, revision = ?, job = ? WHERE id = ? AND revision = ?',
  )
  const select = older.prepare(
    'SELECT job, task FROM jobs LEFT JOIN tasks ON job_id = jobs.id WHERE jobs.id = ?',
  )
  return {
    insert({ input, ...job }: Job): void {
      const instants = [job.dueAt ?? null, null, job.expiresAt, null]
      const rest = [JSON.stringify(toStoredJob(job)), job.id, job.owner, job.idempotency?.key ?? null]
      insert.run(job.phase, job.revision, ...instants, ...rest)
      if (input) insertTask.run(job.id, JSON.stringify(input))
    },
    get(id: string): Job {
      const { job, task } = select.get(id) ?? {}
      const { input: shownInput, ...rest } = JSON.parse(String(job))
      return { ...rest, ...(task !== null && { input: JSON.parse(String(task)) }), shownInput }
    },
    replace({ input: _unchanged, ...job }: Job): void {
      const { id, phase, revision } = job
      const { changes } = update.run(phase, revision, JSON.stringify(toStoredJob(job)), id, revision - 1)
      expect(changes).toBe(1)
    },
  }
}

test('jobs with long inputs in their rows, as version 2 stores them, are read and written', async () => {
  const { file, older } = olderFile(2, versionTwo)
  const input = { prompt: 'a fox '.repeat(2_000) }
  const going = exampleJob({ id: 'going', phase: 'running', shownInput: input, input, idempotency })
  const ended = exampleJob({ id: 'ended', phase: 'completed', shownInput: input })
  for (const job of [going, ended]) versionTwoStore(older).insert(job)
  const lengths = () =>
    older.prepare('SELECT id, length(job) > 10000 AS isLong FROM jobs ORDER BY id').all().map(Object.values)

  const { jobs, close } = sqliteBackend({ file })
  onTestFinished(close)
  expect(await jobs.get('going')).toEqual(going)
  expect(await jobs.findByIdempotencyKey('key', going.createdAt)).toEqual(going)
  expect(await jobs.expired(ended.expiresAt, 10)).toEqual([ended])
  expect(older.prepare('SELECT count(*) AS count FROM inputs').get()).toEqual({ count: 0 })
  expect(lengths()).toEqual([
    ['ended', 1],
    ['going', 1],
  ])
  const next = { ...going, revision: going.revision + 1 }
  expect(await jobs.replace(next, going.revision)).toBe('replaced')
  expect(await jobs.get('going')).toEqual(next)
})

test('a process of version 2 can go on with a job whose long input has its own row, and the input is kept', async () => {
  const { file, older } = olderFile(2, versionTwo)
  const old = versionTwoStore(older)
  const input = { prompt: 'a fox '.repeat(2_000) }
  const job = exampleJob({ phase: 'running', shownInput: input, input })
  const { jobs, close } = sqliteBackend({ file })
  onTestFinished(close)
  await jobs.insert(job)

  expect(old.get(job.id)).toEqual({ ...job, shownInput: {} })
  old.replace({ ...old.get(job.id), revision: 2, attempts: 1 })
  expect(await jobs.get(job.id)).toEqual({ ...job, revision: 2, attempts: 1 })
  const late = exampleJob({ id: 'late', shownInput: input, input })
  old.insert(late)
  expect(await jobs.get('late')).toEqual(late)
})

test('jobs that a process of version 3 finishes are in the ledger of costs', async () => {
  const { file, older } = olderFile(3, versionThree)
  const old = versionTwoStore(older)
  const before = exampleJob({ id: 'before', phase: 'completed' })
  old.insert(before)
  const { jobs, close } = sqliteBackend({ file })
  onTestFinished(close)
  const job = exampleJob({ id: 'during', phase: 'running' })
  await jobs.insert(job)
  const { input: _task, ...done } = exampleJob({
    id: 'during',
    phase: 'completed',
    revision: 2,
    costUsd: 0.3,
  })
  old.replace(done)
  const all = { owner: 'alice', from: 0, to: job.expiresAt, limit: 10 }
  expect(await jobs.costs?.(all)).toEqual([costEntryOf(done)])
  expect(costEntryOf(done)).toMatchObject({ costUsd: 0.3 })
  await jobs.delete('during')
  expect(await jobs.costs?.(all)).toHaveLength(1)
})

test('limits count the jobs of a process of version 6, and its writes keep the stored bytes', async () => {
  const file = temporaryFile()
  const { jobs, close } = sqliteBackend({ file })
  onTestFinished(close)
  const outputs = [{ fileKey: 'job-1-0', bytes: 7 }]
  const job = exampleJob({ phase: 'completed', outputs })
  await jobs.insert(job)
  const older = new DatabaseSync(file)
  onTestFinished(() => older.close())
  const begun = exampleJob({ id: 'begun by the older one' })
  older
    .prepare(
      `INSERT INTO jobs (phase, revision, due_at, claimed_until, expires_at, delete_at, job, id, owner, idempotency_key)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    )
    .run(
      'accepted',
      1,
      5,
      null,
      begun.expiresAt,
      null,
      JSON.stringify(toStoredJob(begun)),
      begun.id,
      'alice',
      null,
    )
  expect(await jobs.unfinished?.('alice', 10)).toEqual([begun.id])
  const update = older.prepare(
    `UPDATE jobs SET phase = ?, revision = ?, due_at = ?, claimed_until = ?, expires_at = ?, delete_at = ?, job = ?
     WHERE id = ? AND revision = ?`,
  )
  for (const { id, expiresAt } of [job, begun])
    update.run(
      'completed',
      2,
      null,
      null,
      expiresAt,
      null,
      JSON.stringify(toStoredJob({ ...job, id, revision: 2 })),
      id,
      1,
    )
  expect(await jobs.unfinished?.('alice', 10)).toEqual([])
  expect(await jobs.storedBytes?.('alice', job.createdAt)).toBe(7)
})

test('a job with a reservation that a process of version 8 ends counts with its cost, or with what it has reserved', async () => {
  const file = temporaryFile()
  const { jobs, close } = sqliteBackend({ file })
  onTestFinished(close)
  const reserving = (id: string) => exampleJob({ id, phase: 'running', reservedUsd: 3 })
  for (const id of ['paid', 'unknown', 'running']) await jobs.insert(reserving(id))
  const older = new DatabaseSync(file)
  onTestFinished(() => older.close())
  // Such a process does not know the column of reservations, and passes on what it has read of the job.
  const update = older.prepare(
    `UPDATE jobs SET phase = ?, revision = ?, due_at = ?, claimed_until = ?, expires_at = ?, delete_at = ?,
      stored_bytes = ?, job = ?
     WHERE id = ? AND revision = ?`,
  )
  const write = (job: Job) =>
    update.run(
      job.phase,
      2,
      null,
      null,
      job.expiresAt,
      null,
      null,
      JSON.stringify(toStoredJob({ ...job, revision: 2 })),
      job.id,
      1,
    )
  const ended = { phase: 'completed', completedAt: reserving('any').createdAt + 5 } as const
  write({ ...reserving('paid'), ...ended, costUsd: 2.5, isCostKnown: true })
  write({ ...reserving('unknown'), ...ended })
  write({ ...reserving('running'), attempts: 1 })
  expect(await jobs.spending?.('alice', [{ from: 0, costsFrom: 0 }])).toEqual([
    { spentMicroUsd: 2_500_000, reservedMicroUsd: 6_000_000, grantedMicroUsd: 0 },
  ])
})

test('entries of the ledger count in the sums of their days: those of a file of version 9, and those of jobs that a process of that version ends', async () => {
  const file = temporaryFile()
  const older = new DatabaseSync(file)
  onTestFinished(() => older.close())
  for (const migration of migrations.slice(0, 9)) older.exec(migration)
  older.exec('PRAGMA user_version = 9; PRAGMA journal_mode = WAL')
  const { createdAt } = exampleJob()
  const day = 86_400_000
  const insert = older.prepare(
    `INSERT INTO jobs (id, owner, phase, revision, expires_at, job) VALUES (?, 'alice', 'running', 1, ?, ?)`,
  )
  const update = older.prepare('UPDATE jobs SET phase = ?, revision = revision + 1, job = ? WHERE id = ?')
  const end = (id: string, changes: Partial<Job>) => {
    const job = exampleJob({ id, phase: 'completed', outputs: [], ...changes })
    update.run(job.phase, JSON.stringify(toStoredJob(job)), id)
  }
  for (const id of ['before', 'again', 'beside'])
    insert.run(id, createdAt + 7 * day, JSON.stringify(toStoredJob(exampleJob({ id, phase: 'running' }))))
  end('before', { costUsd: 0.25, completedAt: createdAt })
  end('again', { phase: 'failed', costUsd: 0, reservedUsd: 2, completedAt: createdAt })
  const { jobs, close } = sqliteBackend({ file })
  onTestFinished(close)
  const rows = async () => {
    const query = { owner: 'alice', from: createdAt, to: createdAt + 9 * day, limit: 9 }
    const sums = await jobs.dailyUsage?.({ ...query, groupBy: ['day', 'keyId'] })
    return sums?.map((row) => [row.keyId, row.jobs, row.spentMicroUsd, row.reservedMicroUsd, row.seconds])
  }
  expect(await rows()).toEqual([[undefined, 2, 250_000, 2_000_000, 0]])
  older.exec(`UPDATE jobs SET phase = 'running' WHERE id = 'again'`)
  end('again', { costUsd: 0.125, completedAt: createdAt + day })
  // An older process passes on what it does not know of a job.
  end('beside', { costUsd: 0.5, keyId: 'key', seconds: 4, completedAt: createdAt + day })
  expect(await rows()).toEqual([
    [undefined, 1, 250_000, 0, 0],
    [undefined, 1, 125_000, 0, 0],
    ['key', 1, 500_000, 0, 4],
  ])
})
