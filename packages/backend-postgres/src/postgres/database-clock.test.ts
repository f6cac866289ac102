import { expect, test } from 'vitest'
import { manualClock } from '@genmount/testing'
import { databaseClock } from './database-clock.ts'

const tenMinutesMs = 10 * 60_000

test('the clock of the database has the time of the host before the first answer of the server', () => {
  const host = manualClock()
  expect(databaseClock(host).now()).toBe(host.now())
})

test('the clock of the database has the time of the server, and goes on when the clock of the host is set', async () => {
  const host = manualClock()
  const clock = databaseClock(host)
  const serverNow = host.now() + tenMinutesMs
  clock.read(serverNow, host.uptime(), host.uptime())
  expect(clock.now()).toBe(serverNow)
  host.set(host.now() - tenMinutesMs)
  await host.advance(1000)
  expect(clock.now()).toBe(serverNow + 1000)
})

test('a slow answer of the server changes the clock of the database only as far as it proves the clock wrong', async () => {
  const host = manualClock()
  const clock = databaseClock(host)
  const serverNow = host.now()
  clock.read(serverNow, 0, 10)
  const exact = clock.now()
  await host.advance(6000)
  // Sent at 0 and heard at 6000: the server may have read its clock at any time between.
  clock.read(serverNow + 100, 0, 6000)
  expect(clock.now()).toBe(exact + 6000)
  // The server's clock was set an hour ahead.
  clock.read(serverNow + 3_600_000, 5990, 6000)
  expect(Math.abs(clock.now() - (serverNow + 3_600_000))).toBeLessThanOrEqual(10)
})
