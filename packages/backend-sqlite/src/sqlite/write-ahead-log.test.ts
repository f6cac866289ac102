import { fstatSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished, test } from 'vitest'
import { writeAheadLog } from './write-ahead-log.ts'

/** A log whose syncs end when the test says so, and another connection to the same database. */
function setUp() {
  const folder = mkdtempSync(join(tmpdir(), 'genmount-sqlite-'))
  const file = join(folder, 'jobs.db')
  const [database, other] = [new DatabaseSync(file), new DatabaseSync(file)]
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; CREATE TABLE words (word TEXT)')
  const syncs: (PromiseWithResolvers<void> & { readonly descriptor: number })[] = []
  const log = writeAheadLog(database, file, (descriptor) => {
    const sync = { ...Promise.withResolvers<void>(), descriptor }
    syncs.push(sync)
    return sync.promise
  })
  onTestFinished(() => {
    log.close()
    for (const connection of [database, other]) connection.close()
    rmSync(folder, { recursive: true })
  })
  const told: string[] = []
  return {
    file,
    database,
    other,
    syncs,
    told,
    write: (word: string, by = database) => by.prepare('INSERT INTO words VALUES (?)').run(word),
    tell: (what: string) => log.kept().then(() => void told.push(what)),
    /** Lets everything happen that waits for nothing but its turn. */
    turn: () => new Promise((resolve) => setImmediate(resolve)),
  }
}

test('nothing is told before a sync of the log that began after it was written has ended', async () => {
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

test('what others have written is synced before it is told, and what is on disk is not synced again', async () => {
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

test('after a sync that failed nothing is told before the whole log has been moved into the database', async () => {
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
  await turn()
  expect(statSync(`${file}-wal`).size).toBe(0)
  expect([syncs.length, told]).toEqual([2, []])
  syncs[1]!.resolve()
  await turn()
  expect(told).toEqual(['all'])
})
