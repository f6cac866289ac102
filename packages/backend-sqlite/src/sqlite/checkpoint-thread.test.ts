import { once } from 'node:events'
import { mkdtempSync, renameSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Worker } from 'node:worker_threads'
import { expect, onTestFinished, test } from 'vitest'
import { checkpointThread } from './checkpoint-thread.ts'
import { openedFiles } from './opened-files.ts'

/** A database with some frames in its log, a checkpoint thread for it, and the threads that were started. */
function setUp() {
  const folder = mkdtempSync(join(tmpdir(), 'genmount-sqlite-'))
  const file = join(folder, 'jobs.db')
  const threads: Worker[] = []
  const note = (thread: Worker) => void threads.push(thread)
  process.on('worker', note)
  const database = new DatabaseSync(file)
  database.exec('PRAGMA journal_mode = WAL; CREATE TABLE words (word TEXT); PRAGMA user_version = 7')
  const thread = checkpointThread(file, openedFiles(file).identities)
  onTestFinished(async () => {
    process.off('worker', note)
    database.close()
    await thread.close()
    rmSync(folder, { recursive: true })
  })
  return { file, database, threads, thread }
}

/** How many pages the file has without its log. */
const pagesOf = (file: string) => statSync(file).size / 4096

test('a checkpoint lets the log begin again before the next write, and keeps the version of the schema', async () => {
  const { file, database, thread } = setUp()
  for (let count = 0; count < 100; count++) database.exec("INSERT INTO words VALUES ('a fox')")
  const before = statSync(`${file}-wal`).size
  await thread.restartLog()
  for (let count = 0; count < 90; count++) database.exec("INSERT INTO words VALUES ('a fox')")
  expect(statSync(`${file}-wal`).size).toBe(before)
  expect(database.prepare('PRAGMA user_version').get()).toEqual({ user_version: 7 })
})

test('a checkpoint fails when its thread dies, and the next checkpoint starts a new thread', async () => {
  const { thread, threads } = setUp()
  await thread.restartLog()
  const ended = once(threads[0]!, 'exit')
  const lost = thread.restartLog()
  void threads[0]!.terminate()
  await expect(lost).rejects.toThrow('its thread has exited')
  await ended
  await thread.restartLog()
  expect(threads).toHaveLength(2)
})

test('a checkpoint while another process has the lock moves the log, which begins again at the next checkpoint', async () => {
  const { file, database, thread, threads } = setUp()
  const other = new DatabaseSync(file)
  other.exec("BEGIN IMMEDIATE; INSERT INTO words VALUES ('a hen')")
  await thread.restartLog()
  expect(pagesOf(file)).toBe(Number(database.prepare('PRAGMA page_count').get()?.page_count))
  other.exec('COMMIT')
  other.close()
  const before = statSync(`${file}-wal`).size
  await thread.restartLog()
  database.exec("INSERT INTO words VALUES ('a fox')")
  expect(statSync(`${file}-wal`).size).toBe(before)
  expect(threads).toHaveLength(1)
})

test('a checkpoint fails and creates no file when the database file was removed or replaced before its thread has opened it', async () => {
  const { file, thread } = setUp()
  renameSync(file, `${file}.away`)
  await expect(thread.restartLog()).rejects.toThrow('jobs.db was removed or replaced')
  expect(statSync(file, { throwIfNoEntry: false })).toBeUndefined()
  renameSync(`${file}.away`, file)
  await thread.restartLog()
})
