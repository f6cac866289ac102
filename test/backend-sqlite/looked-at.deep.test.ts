import { expect, test } from 'vitest'
import { looksOf, operatorsLooks } from './looked-at.ts'

test('no call of the SQLite store looks at more rows in a file of a million jobs of one owner than in one of 1,000', async () => {
  const few = await looksOf(1000)
  const many = await looksOf(1_000_000)
  const growing = Object.entries(many).filter(([call, looks]) => looks > few[call]! + 2)
  expect(growing).toEqual([])
  expect(many['a page of costs']).toBe(100)
})

test.each(['completed', 'failed'] as const)(
  'what operators ask the SQLite store for looks at no more rows in a file of a million %s jobs than in one of 1,000, and at few',
  async (phase) => {
    const few = await operatorsLooks(1000, phase)
    const many = await operatorsLooks(1_000_000, phase)
    expect(Object.entries(many).filter(([call, looks]) => looks > few[call]! + 2)).toEqual([])
    expect(Math.max(...Object.values(many))).toBeLessThan(100)
  },
)
