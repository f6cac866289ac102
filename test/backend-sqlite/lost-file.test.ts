import { copyFileSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished, test } from 'vitest'
import { createGenerationService } from '@genmount/core'
import { sqliteBackend } from '@genmount/backend-sqlite'
import { exampleJob, fakeProvider, quietLog } from '@genmount/testing'
import { startTask } from './start-script.ts'
import { temporaryFile } from './temporary-file.ts'

const jobs = ['a', 'b', 'c'].map((id) => exampleJob({ id }))

/** A backend on a file with three jobs in it. */
async function setUp() {
  const file = temporaryFile()
  const backend = sqliteBackend({ file })
  onTestFinished(backend.close)
  for (const job of jobs) await backend.jobs.insert(job)
  const folder = dirname(file)
  return {
    file,
    folder,
    backend,
    remove: (...suffixes: string[]) => suffixes.forEach((suffix) => rmSync(file + suffix)),
    removeAll: () => readdirSync(folder).forEach((name) => rmSync(join(folder, name))),
    ids() {
      const database = new DatabaseSync(file)
      const rows = database.prepare('SELECT id FROM jobs ORDER BY id').all()
      database.close()
      return rows.map(({ id }) => id)
    },
  }
}

test('while the SQLite file is gone, creates fail with store_unavailable, the log says why, and nothing is spent', async () => {
  const { file, folder, backend } = await setUp()
  const provider = fakeProvider()
  const log = quietLog()
  const service = createGenerationService({ providers: [provider], backend, log })
  onTestFinished(async () => void (await service.close()))
  const request = { owner: 'alice', model: 'fake-image', input: { prompt: 'a fox' } }
  renameSync(folder, `${folder}.moved`)
  onTestFinished(() => rmSync(`${folder}.moved`, { recursive: true, force: true }))
  const message = `The job database ${file} can't be used: it was removed while it was in use.`
  for (let call = 0; call < 3; call++) {
    await expect(service.create(request)).rejects.toMatchObject({
      code: 'store_unavailable',
      cause: { message },
    })
  }
  expect(log.causes).toMatchObject([{ message }])
  expect(provider.ledger).toEqual([])
  renameSync(`${folder}.moved`, folder)
  const { job } = await service.create(request)
  expect(await service.get(job.id, 'alice')).toMatchObject({ id: job.id })
})

test('reads fail when the SQLite file was removed, and the backend makes no new file', async () => {
  const { file, folder, backend, removeAll } = await setUp()
  removeAll()
  for (let call = 0; call < 3; call++) {
    await expect(backend.jobs.get('a')).rejects.toThrow(`${file} can't be used: it was removed`)
    await expect(backend.jobs.due(Date.now(), 1)).rejects.toThrow('it was removed while it was in use')
  }
  expect(readdirSync(folder)).toEqual([])
  await backend.close()
})

test('no insert is acknowledged after the SQLite file was removed', async () => {
  const { backend, removeAll } = await setUp()
  const outcomes: string[] = []
  const insert = (id: string) =>
    backend.jobs.insert(exampleJob({ id })).then(
      () => outcomes.push('kept'),
      () => outcomes.push('refused'),
    )
  const isOver = () => outcomes.slice(-20).every((outcome) => outcome === 'refused')
  for (let number = 0; number < 50 || !isOver(); number++) {
    if (number === 25) removeAll()
    await insert(`job-${number}`)
  }
  expect(outcomes.slice(0, 25)).not.toContain('refused')
  expect(outcomes.slice(25)).not.toContain('kept')
})

test('inserts that are not acknowledged yet fail when the SQLite file is removed', async () => {
  const { file, backend } = await setUp()
  const inserting = Array.from({ length: 20 }, (_, index) =>
    backend.jobs.insert(exampleJob({ id: `job-${index}` })),
  )
  rmSync(file)
  const outcomes = await Promise.allSettled(inserting)
  expect(new Set(outcomes.map(({ status }) => status))).toEqual(new Set(['rejected']))
})

test('a SQLite file that was moved away and back is used again, with all jobs', async () => {
  const { file, backend } = await setUp()
  renameSync(file, `${file}.moved`)
  for (let call = 0; call < 3; call++) {
    await expect(backend.jobs.get('a')).rejects.toThrow('it was removed while it was in use')
  }
  renameSync(`${file}.moved`, file)
  for (const job of jobs) expect(await backend.jobs.get(job.id)).toEqual(job)
  expect(await backend.jobs.insert(exampleJob({ id: 'd' }))).toEqual({ outcome: 'inserted' })
})

test('a SQLite file that replaces another is opened only when the log of the old one is removed too', async () => {
  const { file, backend, remove, ids } = await setUp()
  const other = sqliteBackend({ file: `${file}.restored` })
  await other.jobs.insert(exampleJob({ id: 'restored' }))
  await other.close()
  renameSync(`${file}.restored`, file)
  await expect(backend.jobs.get('a')).rejects.toThrow('it was replaced while it was in use')
  for (let call = 0; call < 3; call++) {
    await expect(backend.jobs.get('a')).rejects.toThrow(`${file}-wal and ${file}-shm must be removed too`)
  }
  remove('-wal', '-shm')
  await expect(backend.jobs.get('a')).rejects.toThrow('it was replaced while it was in use.')
  expect(await backend.jobs.get('restored')).toMatchObject({ id: 'restored' })
  await backend.jobs.insert(exampleJob({ id: 'new' }))
  await backend.close()
  expect(ids()).toEqual(['new', 'restored'])
})

test('when the log (-wal) of the SQLite file is removed, one call fails and no job is lost', async () => {
  const { file, backend, remove } = await setUp()
  remove('-wal')
  await expect(backend.jobs.insert(exampleJob({ id: 'd' }))).rejects.toThrow(`${file}-wal was removed`)
  for (const job of jobs) expect(await backend.jobs.get(job.id)).toEqual(job)
  expect(await backend.jobs.insert(exampleJob({ id: 'e' }))).toEqual({ outcome: 'inserted' })
})

test('when the log (-wal) is removed while several backends use it, calls fail until the last backend has closed it', async () => {
  const { file, backend, remove } = await setUp()
  const other = sqliteBackend({ file })
  onTestFinished(other.close)
  await other.jobs.get('a')
  remove('-wal')
  await expect(backend.jobs.get('a')).rejects.toThrow('-wal was removed while it was in use')
  await expect(backend.jobs.get('a')).rejects.toThrow('other processes have it open')
  // This process has closed the file for a while, but it lives, so its claims still count.
  expect(await other.processes?.hasEnded(backend.processes?.id ?? '')).toBe(false)
  await expect(other.jobs.get('a')).rejects.toThrow('-wal was removed while it was in use')
  for (const job of jobs) {
    expect(await other.jobs.get(job.id)).toEqual(job)
    expect(await backend.jobs.get(job.id)).toEqual(job)
  }
})

test('two processes whose SQLite file is replaced both continue in the new file', async () => {
  const { file, backend, removeAll, ids } = await setUp()
  const writer = startTask('insert for ever', [file, 'theirs'])
  await writer.line()
  const freshFile = temporaryFile()
  const fresh = sqliteBackend({ file: freshFile })
  await fresh.jobs.insert(exampleJob({ id: 'restored' }))
  await fresh.close()
  removeAll()
  renameSync(freshFile, file)
  await expect(backend.jobs.get('a')).rejects.toThrow('while it was in use')
  await backend.jobs.insert(exampleJob({ id: 'ours' }))
  const nextIs = async (isFailure: boolean) => {
    for (;;) {
      const line = await writer.line()
      if (line.startsWith('failed') === isFailure) return line
    }
  }
  await nextIs(true)
  const theirs = [await nextIs(false), await nextIs(false), await nextIs(false)]
  for (const id of theirs) expect(await backend.jobs.get(id)).toMatchObject({ id })
  expect(ids()).toEqual(expect.arrayContaining(['ours', 'restored', ...theirs]))
})

test('copying and backing up the SQLite file while a backend uses it does not disturb the backend', async () => {
  const { file, backend } = await setUp()
  copyFileSync(file, `${file}.copy`)
  const database = new DatabaseSync(file)
  database.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  database.exec(`VACUUM INTO '${file}.backup'`)
  database.close()
  for (const job of jobs) expect(await backend.jobs.get(job.id)).toEqual(job)
})
