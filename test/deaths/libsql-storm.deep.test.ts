import { test } from 'vitest'
import { expectNothingLost } from './storms/expect-nothing-lost.ts'
import { rideLibsqlStorm } from './storms/libsql-storm.ts'

// Nobody tells which processes on libSQL live, so the rows of deleted jobs stay for two minutes more.
test('three servers on one libSQL database, of which one is killed, closed or cut off from the jobs each second for 16 s, lose no job, pay for none twice and spend no more than each owner has', async ({
  onTestFinished,
}) => {
  expectNothingLost(await rideLibsqlStorm(16, onTestFinished))
})
