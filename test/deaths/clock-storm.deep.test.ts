// @module-tag needs/faketime
import { test } from 'vitest'
import { startSettablePostgres } from '../postgres/start-settable-postgres.ts'
import { blowsOf } from './storms/blows.ts'
import { expectNothingLost } from './storms/expect-nothing-lost.ts'
import { rideStorm } from './storms/ride-storm.ts'

test('three servers on one SQLite file lose no job, pay for none twice, deliver each paid job whose outcome a server could know and delete nothing before its time when they are killed and frozen and the clock of their machine is set anywhere between a day back and 8 days ahead', async ({
  onTestFinished,
}) => {
  const storm = { blows: blowsOf.clocks, seconds: 20, missetsClock: true }
  expectNothingLost(await rideStorm(storm, onTestFinished))
})

test('three servers on one Postgres lose no job, pay for none twice, deliver each paid job whose outcome a server could know and delete nothing before its time when they are killed and frozen and the clocks of Postgres and of the machine of one of them are set anywhere between a day back and 8 days ahead', async ({
  onTestFinished,
}) => {
  const postgres = await startSettablePostgres({ speed: 10 })
  onTestFinished(() => postgres.stop())
  const storm = {
    blows: blowsOf.databaseClocks,
    seconds: 20,
    missetsClock: true,
    shared: { database: postgres.url('postgres') },
    databaseClock: postgres,
  }
  expectNothingLost(await rideStorm(storm, onTestFinished))
})
