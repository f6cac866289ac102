import { test } from 'vitest'
import { databaseOfFile } from '../postgres/temporary-database.ts'
import { blowsOf } from './storms/blows.ts'
import { expectNothingLost } from './storms/expect-nothing-lost.ts'
import { layoutsInTurn } from './storms/layouts-in-turn.ts'
import { rideStorm, type Storm } from './storms/ride-storm.ts'

test.for([
  ['one SQLite file', async (): Promise<Storm['shared']> => undefined],
  ['one Postgres', async () => ({ database: await databaseOfFile() })],
] as const)(
  'three servers on %s, of which each second one is killed or replaced by one whose models come from other providers or whose key is rotated, lose no job, pay for none twice, and deliver each paid job whose outcome a server could know',
  async ([, open], { onTestFinished }) => {
    const storm = { blows: blowsOf.moves, seconds: 20, shared: await open(), layoutOf: layoutsInTurn }
    expectNothingLost(await rideStorm(storm, onTestFinished))
  },
)
