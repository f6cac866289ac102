import { expect, test } from 'vitest'
import { mistakes } from './mistakes.ts'

test.each(Object.entries(mistakes))('a wrong option throws a TypeError that says: %s', (message, call) => {
  expect(call).toThrow(TypeError)
  expect(call).toThrow(message)
})

test('no TypeError about a wrong option repeats a value that may be a secret', () => {
  expect(Object.keys(mistakes).length).toBeGreaterThanOrEqual(60)
  const messages = Object.values(mistakes).map(messageOf)
  expect(messages.filter((message) => /hush|7654321/.test(message))).toEqual([])
})

function messageOf(call: () => unknown): string {
  try {
    return `nothing was thrown: ${String(call())}`
  } catch (error) {
    return String(error)
  }
}
