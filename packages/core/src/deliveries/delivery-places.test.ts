import { expect, test } from 'vitest'
import { manualClock } from '@genmount/testing'
import { deliveryPlaces } from './delivery-places.ts'

function setUp() {
  const clock = manualClock()
  const places = deliveryPlaces(clock)
  const begun: string[] = []
  const ends: (() => void)[] = []
  const run = (owner: string, host: string) =>
    places.run(owner, host, () => {
      begun.push(`${owner} ${host}`)
      return new Promise((resolve) => ends.push(resolve))
    })
  return { clock, begun, ends, run }
}

test('one host gets eight webhooks at a time, and a ninth does not delay other hosts of the same owner', () => {
  const { begun, run } = setUp()
  for (let n = 0; n < 20; n++) run('alice', 'slow.example')
  run('alice', 'quick.example')
  expect(begun).toHaveLength(9)
  expect(begun.at(-1)).toBe('alice quick.example')
})

test('an owner whose receivers never answer does not use up the places of other owners', () => {
  const { begun, run } = setUp()
  for (let n = 0; n < 500; n++) run('alice', `slow-${n}.example`)
  expect(begun).toHaveLength(32)
  for (let n = 0; n < 10; n++) run(`owner-${n}`, 'quick.example')
  expect(begun).toHaveLength(40)
})

test('several owners whose webhooks go to one host take turns', async () => {
  const { clock, begun, ends, run } = setUp()
  for (let n = 0; n < 20; n++) run('alice', 'shared.example')
  run('bob', 'shared.example')
  ends.shift()?.()
  await clock.advance(0)
  expect(begun).toHaveLength(9)
  ends.shift()?.()
  await clock.advance(0)
  expect(begun.slice(8)).toContain('bob shared.example')
})

test('a webhook whose sending never settles loses its place', async () => {
  const { clock, begun, run } = setUp()
  for (let n = 0; n < 9; n++) run('alice', 'slow.example')
  await clock.advance(89_000)
  expect(begun).toHaveLength(8)
  await clock.advance(1000)
  expect(begun).toHaveLength(9)
})

test('when too many webhooks of one owner wait, the rest are taken up later and other owners are served', () => {
  const { run } = setUp()
  let refused = 0
  for (let n = 0; n < 12_000; n++) if (!run('alice', 'slow.example')) refused++
  expect(refused).toBe(12_000 - 8 - 5000)
  expect(run('bob', 'slow.example')).toBe(true)
})
