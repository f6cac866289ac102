import { expect, test } from 'vitest'
import { databaseOfFile } from '../postgres/temporary-database.ts'
import { blowsOf } from './storms/blows.ts'
import { rideStorm } from './storms/ride-storm.ts'

test.concurrent.for([
  ['one SQLite file', 'shortOnSqlite', async (): Promise<string | undefined> => undefined],
  ['one Postgres', 'shortOnPostgres', databaseOfFile],
] as const)(
  'three servers on %s, of which one is killed, closed or cut off from the jobs each second for 5 s, lose no job and pay for none twice',
  async ([, kind, open], { onTestFinished }) => {
    const database = await open()
    const storm = { blows: blowsOf[kind], seconds: 5, shared: database ? { database } : undefined }
    const { breaches, acknowledged, ordered } = await rideStorm(storm, onTestFinished)
    expect(breaches).toEqual([])
    expect(acknowledged).toBe(ordered)
  },
)
