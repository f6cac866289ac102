import { test } from 'vitest'
import { databaseOfFile } from '../postgres/temporary-database.ts'
import { blowsOf } from './storms/blows.ts'
import { expectNothingLost } from './storms/expect-nothing-lost.ts'
import { rideStorm } from './storms/ride-storm.ts'

test.for([
  ['one SQLite file', async (): Promise<string | undefined> => undefined],
  ['one Postgres', databaseOfFile],
] as const)(
  'three servers on %s, of which one is replaced or frozen each second while vendors take long to answer submits, lose no job, pay for none twice, and deliver every answer',
  async ([, open], { onTestFinished }) => {
    const database = await open()
    const shared = database ? { database } : undefined
    const storm = { blows: blowsOf.slowDeployment, seconds: 12, hasSlowCalls: true, shared }
    expectNothingLost(await rideStorm(storm, onTestFinished))
  },
)
