import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished, test } from 'vitest'
import { groupCommit } from './group-commit.ts'

function setUp() {
  const database = new DatabaseSync(':memory:')
  onTestFinished(() => database.close())
  database.exec('CREATE TABLE words (word TEXT UNIQUE)')
  const insert = database.prepare('INSERT INTO words VALUES (?)')
  const words = () =>
    database
      .prepare('SELECT word FROM words ORDER BY word')
      .all()
      .map(({ word }) => word)
  return {
    database,
    words,
    insert,
    ...groupCommit(
      database,
      async () => {},
      async () => {},
    ),
  }
}

test('each write of a group commit gets its own result, in the order of the writes', async () => {
  const { words, insert, write } = setUp()
  const seen = ['b', 'a', 'c'].map((word) => write(() => (insert.run(word), words())))
  expect(words()).toEqual([])
  expect(await Promise.all(seen)).toEqual([['b'], ['a', 'b'], ['a', 'b', 'c']])
})

test('writes in a transaction with a write that fails fail too, and nothing of them is stored', async () => {
  const { words, insert, write } = setUp()
  const outcomes = await Promise.allSettled(['a', 'b', 'a', 'c'].map((word) => write(() => insert.run(word))))
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected', 'rejected'])
  expect(words()).toEqual([])
  await write(() => insert.run('later'))
  expect(words()).toEqual(['later'])
})

test('writes that arrive during a group commit are written after that group', async () => {
  const { words, insert, write } = setUp()
  await write(() => insert.run('first')).then(() => write(() => insert.run('second')))
  expect(words()).toEqual(['first', 'second'])
})

test('the results of many writes arrive in several turns of the event loop, with other work in between', async () => {
  const { words, insert, write } = setUp()
  let turn = 0
  const answeredIn = new Map<number, number>()
  const names = Array.from({ length: 50 }, (_, index) => `word ${index}`)
  const all = Promise.all(
    names.map(async (word) => {
      await write(() => insert.run(word))
      answeredIn.set(turn, (answeredIn.get(turn) ?? 0) + 1)
    }),
  )
  const answers = () => [...answeredIn.values()].reduce((sum, count) => sum + count, 0)
  for (; answers() < names.length; turn++) await new Promise((resolve) => setImmediate(resolve))
  await all
  expect(words()).toHaveLength(50)
  expect(Math.max(...answeredIn.values())).toBeLessThanOrEqual(20)
})

test('writes that are synced while other writes get their results get theirs too', async () => {
  const { insert, write } = setUp()
  const answered: string[] = []
  const begin = (word: string) => write(() => insert.run(word)).then(() => answered.push(word))
  const writes: Promise<unknown>[] = []
  for (let index = 0; index < 40; index++) {
    writes.push(begin(`first ${index}`), begin(`second ${index}`))
    await new Promise((resolve) => (index % 3 === 0 ? setImmediate(resolve) : process.nextTick(resolve)))
  }
  await Promise.all(writes)
  expect(answered).toHaveLength(80)
})

test('writes to a full disk fail and nothing of them is stored, and later writes succeed once there is room', async () => {
  const { database, words, insert, write } = setUp()
  await write(() => insert.run('kept'))
  const { page_count: pages } = database.prepare('PRAGMA page_count').get() ?? {}
  database.exec(`PRAGMA max_page_count = ${pages}`)
  const outcomes = await Promise.allSettled(
    ['small', 'large '.repeat(10_000)].map((word) => write(() => insert.run(word))),
  )
  expect(outcomes).toMatchObject([1, 2].map(() => ({ reason: { message: 'database or disk is full' } })))
  expect(words()).toEqual(['kept'])
  database.exec('PRAGMA max_page_count = 1000000')
  await write(() => insert.run('later'))
  expect(words()).toEqual(['kept', 'later'])
})
