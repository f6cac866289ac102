import { expect, test } from 'vitest'
import { readingTurns } from './reading-turns.ts'

const turnOfLoop = () => new Promise<void>((resolve) => void setImmediate(resolve))

test('of many reads at once, a few begin in each turn of the event loop, in their order', async () => {
  const turn = readingTurns(4)
  const begun: number[] = []
  for (let read = 0; read < 10; read++) void turn().then(() => begun.push(read))
  await Promise.resolve()
  expect(begun).toEqual([0, 1, 2, 3])
  await turnOfLoop()
  expect(begun).toEqual([0, 1, 2, 3, 4, 5, 6, 7])
  await turnOfLoop()
  expect(begun).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
})

test('reads that wait for their clients for ever do not hold up others', async () => {
  const turn = readingTurns(4)
  const waiting = Array.from({ length: 100 }, async () => (await turn(), new Promise(() => {})))
  await Promise.all(Array.from({ length: 100 }, turn))
  expect(waiting).toHaveLength(100)
})
