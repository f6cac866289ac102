import { test } from 'vitest'
import { blowsOf } from './storms/blows.ts'
import { expectNothingLost } from './storms/expect-nothing-lost.ts'
import { rideLibsqlStorm } from './storms/libsql-storm.ts'
import { rideStorm } from './storms/ride-storm.ts'

test.for([
  ['killed', 'kills'],
  ['killed, frozen beyond its lease, cut off from a store or closed', 'everything'],
] as const)(
  'three servers on one SQLite file, of which one is %s each second, lose no job, pay for none twice, spend no more than each owner has, and deliver each paid job whose outcome a server could know',
  async ([, kind], { onTestFinished }) => {
    const storm = { blows: blowsOf[kind], seconds: 16 }
    expectNothingLost(await rideStorm(storm, onTestFinished))
  },
)

test('three servers on one libSQL database, of which one is killed, closed or cut off from the jobs each second for 16 s, lose no job, pay for none twice and spend no more than each owner has', async ({
  onTestFinished,
}) => {
  expectNothingLost(await rideLibsqlStorm(16, onTestFinished))
})
