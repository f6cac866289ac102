import { expect, test } from 'vitest'
import { readingTurns } from './reading-turns.ts'

const nextTurn = () => new Promise<void>((resolve) => void setImmediate(resolve))

/** Starts `count` reads of which each fills its room. @returns the numbers of those that have begun, in their order */
function start(turns: ReturnType<typeof readingTurns>, count: number): readonly number[] {
  const begun: number[] = []
  for (let number = 0; number < count; number++) {
    const turn = turns.take()
    if (turn) void turn.then(() => begun.push(number))
    else begun.push(number)
  }
  return begun
}

test('of many readers at once, each turn of the event loop lets as many read as it has room for, in their order', async () => {
  const begun = start(readingTurns(40, 10), 10)
  expect(begun).toEqual([0, 1, 2, 3])
  await nextTurn()
  expect(begun).toEqual([0, 1, 2, 3, 4, 5, 6, 7])
  await nextTurn()
  expect(begun).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
})

test('any number of small reads, one after the other, need not wait', () => {
  const turns = readingTurns(40, 10)
  for (let reads = 0; reads < 30; reads++) {
    expect(turns.take()).toBeUndefined()
    turns.end(1)
  }
})

test('reads that wait for their clients for ever do not hold up others', async () => {
  const turns = readingTurns(40, 10)
  start(turns, 4)
  for (let reads = 0; reads < 5; reads++) {
    const begun = start(turns, 4)
    await nextTurn()
    expect(begun).toEqual([0, 1, 2, 3])
  }
})
