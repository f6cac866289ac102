import { expect, test } from 'vitest'
import { readingTurns } from './reading-turns.ts'

const turnOfLoop = () => new Promise<void>((resolve) => void setImmediate(resolve))

test('of many bodies at once, only a few begin to be read in each turn of the event loop, in their order', async () => {
  const { take } = readingTurns(4)
  const begun: number[] = []
  for (let read = 0; read < 10; read++) void take().then(() => begun.push(read))
  await Promise.resolve()
  expect(begun).toEqual([0, 1, 2, 3])
  await turnOfLoop()
  expect(begun).toEqual([0, 1, 2, 3, 4, 5, 6, 7])
  await turnOfLoop()
  expect(begun).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
})

test('bodies of clients that send nothing do not delay the reads of other bodies', async () => {
  const { take } = readingTurns(4)
  const waiting = Array.from({ length: 100 }, async () => (await take(), new Promise(() => {})))
  await Promise.all(Array.from({ length: 100 }, take))
  expect(waiting).toHaveLength(100)
})

test('many small bodies are all read in one turn of the event loop', async () => {
  const { take, giveBack } = readingTurns(4)
  let turns = 0
  const countTurns = () => {
    turns++
    immediate = setImmediate(countTurns)
  }
  let immediate = setImmediate(countTurns)
  for (let read = 0; read < 100; read++) {
    await take()
    giveBack()
  }
  clearImmediate(immediate)
  expect(turns).toBe(0)
})
