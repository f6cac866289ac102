import { expect, test } from 'vitest'
import { type SharedRoom, sharedRoom } from './shared-room.ts'

/** Lets an owner take one piece after another until it is refused. @returns how many pieces it got */
function fill(room: SharedRoom, owner: string, amount = 1): number {
  let pieces = 0
  while (room.fits(amount) && room.mayHave(owner, amount)) {
    room.add(owner, amount)
    pieces++
  }
  return pieces
}

test('an owner can take at most half of the room that is left, so that others find room', () => {
  const room = sharedRoom(80)
  expect(['a', 'b', 'c'].map((owner) => fill(room, owner))).toEqual([40, 20, 10])
  expect(room.held).toBe(70)
})

test('an owner that holds nothing may take all the free room', () => {
  const room = sharedRoom(80)
  expect(fill(room, 'a', 80)).toBe(1)
  expect(room.fits(1)).toBe(false)
  room.add('a', -80)
  expect(fill(room, 'b')).toBe(40)
})

test('an amount that is always allowed is allowed beyond the share of an owner, where there is room', () => {
  const room = sharedRoom(80, 60)
  expect([fill(room, 'a'), fill(room, 'b')]).toEqual([60, 20])
})
