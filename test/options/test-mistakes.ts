import { expect, test } from 'vitest'

/** Makes a test of each wrong call, by the beginning of its error message. */
export function testMistakes(mistakes: Readonly<Record<string, () => unknown>>): void {
  test.each(Object.entries(mistakes))(
    'a wrong option throws a TypeError that repeats no value which may be a secret and says: %s',
    (message, call) => {
      expect(call).toThrow(TypeError)
      expect(call).toThrow(message)
      expect(call).not.toThrow(/hush|7654321/)
    },
  )
}
