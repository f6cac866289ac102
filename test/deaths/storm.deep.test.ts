import { test } from 'vitest'
import { blowsOf } from './storms/blows.ts'
import { expectNothingLost } from './storms/expect-nothing-lost.ts'
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
