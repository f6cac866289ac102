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

test('however much an owner asks for, as much is left for the others', () => {
  const room = sharedRoom(80)
  expect(['a', 'b', 'c'].map((owner) => fill(room, owner))).toEqual([40, 20, 10])
  expect(room.held).toBe(70)
})

test('an owner that holds nothing may have all that is there', () => {
  const room = sharedRoom(80)
  expect(fill(room, 'a', 80)).toBe(1)
  expect(room.fits(1)).toBe(false)
  room.add('a', -80)
  expect(fill(room, 'b')).toBe(40)
})

test('what is always allowed is allowed beyond the share, where there is room', () => {
  const room = sharedRoom(80, 60)
  expect([fill(room, 'a'), fill(room, 'b')]).toEqual([60, 20])
})
