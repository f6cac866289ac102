import { expect, test } from 'vitest'
import { mistakes } from './mistakes.ts'

test('the table holds at least 60 mistakes, each once', () => {
  expect(mistakes.length).toBeGreaterThanOrEqual(60)
  expect(new Set(mistakes.map(([what]) => what)).size).toBe(mistakes.length)
})

test.each(mistakes)('%s is refused with a hint', (_what, call, hint) => {
  expect(call).toThrow(TypeError)
  expect(call).toThrow(hint)
})

test('no message repeats a value that may be a secret', () => {
  const messages = mistakes.map(([, call]) => messageOf(call))
  expect(messages.filter((message) => /hush/.test(message))).toEqual([])
})

function messageOf(call: () => unknown): string {
  try {
    return `nothing was thrown: ${String(call())}`
  } catch (error) {
    return String(error)
  }
}
