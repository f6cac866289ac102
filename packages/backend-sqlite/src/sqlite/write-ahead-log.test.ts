import { fstatSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished, test } from 'vitest'
import { checkpointThread } from './checkpoint-thread.ts'
import { openedFiles } from './opened-files.ts'
import { writeAheadLog } from './write-ahead-log.ts'

/** A log whose syncs end when the test ends them, and another connection to the same database. */
function setUp() {
  const folder = mkdtempSync(join(tmpdir(), 'genmount-sqlite-'))
  const file = join(folder, 'jobs.db')
  const [database, other] = [new DatabaseSync(file), new DatabaseSync(file)]
  database.exec(
    'PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 0; CREATE TABLE words (word TEXT)',
  )
  const syncs: (PromiseWithResolvers<void> & { readonly descriptor: number })[] = []
  const thread = checkpointThread(file, openedFiles(file).identities)
  const restarts: PromiseWithResolvers<void>[] = []
  const restartLog = () => {
    restarts.push(Promise.withResolvers())
    return restarts.at(-1)!.promise
  }
  const log = writeAheadLog(database, file, { restartLog, emptyLog: thread.emptyLog }, (descriptor) => {
    const sync = { ...Promise.withResolvers<void>(), descriptor }
    syncs.push(sync)
    return sync.promise
  })
  onTestFinished(async () => {
    await log.close()
    for (const connection of [database, other]) connection.close()
    await thread.close()
    rmSync(folder, { recursive: true })
  })
  const told: string[] = []
  return {
    file,
    database,
    other,
    syncs,
    told,
    log,
    thread,
    restarts,
    write: (word: string, by = database) => by.prepare('INSERT INTO words VALUES (?)').run(word),
    tell: (what: string) => log.untilOnDisk().then(() => void told.push(what)),
    /** Lets all pending callbacks run. */
    turn: () => new Promise((resolve) => setImmediate(resolve)),
  }
}

test('a write has no result before a sync of the log has ended that began after the write', async () => {
  const { file, syncs, told, write, tell, turn } = setUp()
  write('a')
  void tell('a')
  await turn()
  expect(fstatSync(syncs[0]!.descriptor).ino).toBe(statSync(`${file}-wal`).ino)
  write('b')
  void tell('b')
  write('c')
  void tell('c')
  await turn()
  expect([syncs.length, told]).toEqual([1, []])
  syncs[0]!.resolve()
  await turn()
  expect([syncs.length, told]).toEqual([2, ['a']])
  syncs[1]!.resolve()
  await turn()
  expect([syncs.length, told]).toEqual([2, ['a', 'b', 'c']])
})

test('a write of another process is synced before a read returns it, and nothing is synced twice', async () => {
  const { other, syncs, told, write, tell, turn } = setUp()
  void tell('what was there')
  await turn()
  syncs[0]!.resolve()
  await turn()
  await tell('the same')
  expect(syncs).toHaveLength(1)
  write('theirs', other)
  void tell('theirs')
  await turn()
  expect([syncs.length, told]).toEqual([2, ['what was there', 'the same']])
  syncs[1]!.resolve()
  await turn()
  await tell('theirs again')
  expect([syncs.length, told.length]).toEqual([2, 4])
})

test('after a failed sync no write has a result before the whole log has been moved into the database', async () => {
  const { file, other, syncs, told, write, tell, turn } = setUp()
  write('a')
  const first = tell('a')
  await turn()
  syncs[0]!.reject(new Error('EIO'))
  await expect(first).rejects.toThrow('EIO')

  other.exec('BEGIN')
  other.prepare('SELECT * FROM words').all()
  write('b')
  await expect(tell('b')).rejects.toThrow('could not be put on disk')
  expect(syncs).toHaveLength(1)

  other.exec('COMMIT')
  void tell('all')
  await expect.poll(() => syncs.length).toBe(2)
  expect(statSync(`${file}-wal`).size).toBe(0)
  expect(told).toEqual([])
  syncs[1]!.resolve()
  await turn()
  expect(told).toEqual(['all'])
})

/** Writes until the log has a thousand pages, and syncs them. */
async function fillLog({ write, tell, syncs, turn }: ReturnType<typeof setUp>): Promise<void> {
  for (let count = 0; count < 12; count++) write('x'.repeat(400_000))
  void tell('all')
  await turn()
  syncs.at(-1)!.resolve()
  await turn()
}

test('writes wait while a log of a thousand pages is moved into the database, and not with a shorter log', async () => {
  const it = setUp()
  it.write('a')
  void it.tell('a')
  await it.turn()
  it.syncs[0]!.resolve()
  await it.turn()
  expect(it.restarts).toHaveLength(0)
  await it.log.writable()

  await fillLog(it)
  expect(it.restarts).toHaveLength(1)
  let isWritable = false
  void it.log.writable().then(() => (isWritable = true))
  await it.turn()
  expect(isWritable).toBe(false)
  await it.thread.restartLog()
  it.restarts[0]!.resolve()
  await it.turn()
  expect(isWritable).toBe(true)

  // The file keeps its length, but the log in it starts again from the beginning.
  it.write('b')
  void it.tell('b')
  await it.turn()
  it.syncs.at(-1)!.resolve()
  await it.turn()
  expect(statSync(`${it.file}-wal`).size).toBeGreaterThan(4_000_000)
  expect(it.restarts).toHaveLength(1)
})

test('a log that readers hold is moved into the database again only after a thousand more pages', async () => {
  const it = setUp()
  it.other.exec('BEGIN')
  it.other.prepare('SELECT * FROM words').all()
  for (const restarts of [1, 2]) {
    await fillLog(it)
    expect(it.restarts).toHaveLength(restarts)
    await it.thread.restartLog()
    it.restarts.at(-1)!.resolve()
    await it.turn()
    it.write('a little more')
    void it.tell('more')
    await it.turn()
    it.syncs.at(-1)!.resolve()
    await it.turn()
    expect(it.restarts).toHaveLength(restarts)
  }
  it.other.exec('COMMIT')
})

test('the log is moved into the database also without a checkpoint thread', async () => {
  const it = setUp()
  await fillLog(it)
  it.restarts[0]!.reject(new Error('no threads here'))
  await it.log.writable()
  const pages = it.database.prepare('PRAGMA page_count').get()?.page_count
  expect(statSync(it.file).size).toBe(Number(pages) * 4096)
})
