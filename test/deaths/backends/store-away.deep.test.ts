import { describe, test } from 'vitest'
import { databaseOfFile } from '../../postgres/temporary-database.ts'
import { expectAllDelivered, onPostgres, onSqlite } from './store-away.ts'

const forMs = 60_000

describe.concurrent('sixteen paid jobs complete, and none of them shows a failure meanwhile, after a minute in which', () => {
  test.for(Object.entries(onPostgres))('Postgres %s', async ([, open], { onTestFinished }) => {
    const database = await databaseOfFile()
    await expectAllDelivered(() => open(database, onTestFinished), forMs, onTestFinished)
  })

  test.for(Object.entries(onSqlite))('the SQLite file %s', ([, open], { onTestFinished }) =>
    expectAllDelivered(open, forMs, onTestFinished),
  )
})
