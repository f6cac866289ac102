import { expect, test } from 'vitest'
import { manualClock } from '@genmount/testing'
import { ending } from './ending.ts'
import { persist } from './persist.ts'

test.each([
  ['an Error', new Error('connection reset')],
  ['a TypeError, as drivers do when their connection has gone', new TypeError('cannot read query of null')],
  ['a text', 'out of order'],
])('a write that throws %s is repeated until it succeeds', async (_what, fault) => {
  const clock = manualClock()
  const triedAt: number[] = []
  const written = persist(
    async () => {
      triedAt.push(clock.uptime())
      if (triedAt.length < 5) throw fault
      return 'written'
    },
    { clock, givingUp: ending(), forMs: 60_000 },
  )
  await clock.advance(60_000)
  expect(await written).toBe('written')
  const [first = 0] = triedAt
  expect(triedAt.map((at) => at - first)).toEqual([0, 50, 200, 650, 2000])
})

test('a write that fails until its time is over throws the error of its last try', async () => {
  const clock = manualClock()
  let tries = 0
  const written = persist(
    async () => {
      throw new TypeError(`try ${++tries}`)
    },
    { clock, givingUp: ending(), forMs: 10_000 },
  )
  const failed = expect(written).rejects.toThrow(/^try [5-9]$/)
  await clock.advance(60_000)
  await failed
})

test('no try begins after the service has given up', async () => {
  const clock = manualClock()
  const givingUp = ending()
  let tries = 0
  const failed = expect(
    persist(
      async () => {
        tries++
        throw new Error('away')
      },
      { clock, givingUp, forMs: 60_000 },
    ),
  ).rejects.toThrow('away')
  await clock.advance(300)
  givingUp.end()
  await failed
  expect(tries).toBe(3)
})
