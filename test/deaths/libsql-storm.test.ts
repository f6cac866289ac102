import { test } from 'vitest'
import { expectNothingLost } from './storms/expect-nothing-lost.ts'
import { rideLibsqlStorm } from './storms/libsql-storm.ts'

// The deep suite has a storm of 16 s. Here, too, the end is awaited for longer than the storm lasts.
test('three servers on one libSQL database, of which one is killed, closed or cut off from the jobs each second for 3 s, lose no job, pay for none twice and spend no more than each owner has', async ({
  onTestFinished,
}) => {
  expectNothingLost(await rideLibsqlStorm(3, onTestFinished))
})
