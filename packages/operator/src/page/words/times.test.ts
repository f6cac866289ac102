import { expect, test } from 'vitest'
import { relative, span, withLocalTimes } from './times.ts'

test.each([
  [0, 'less than 1 ms'],
  [999, '999 ms'],
  [119_000, '119 s'],
  [120_000, '2 min'],
  [3_600_000, '1 h'],
  [47.5 * 3_600_000, '47 h 30 min'],
  [49 * 3_600_000, '2 d 1 h'],
])('%d milliseconds are shown as %s', (milliseconds, words) => {
  expect(span(milliseconds)).toBe(words)
})

test('an instant is shown by its distance, in both directions', () => {
  const now = Date.parse('2026-11-28T14:00:00.000Z')
  expect(relative('2026-11-28T13:58:00.000Z', now)).toBe('2 min ago')
  expect(relative('2026-11-28T14:00:05.000Z', now)).toBe('in 5 s')
  expect(relative('2026-11-28T14:00:00.500Z', now)).toBe('now')
})

test('the instants of a sentence are shown in local time with their distance, and all other words stay', () => {
  const now = Date.parse('2026-11-28T14:00:00.000Z')
  const words = withLocalTimes('Tried again at 2026-11-28T14:00:09.000Z, because fal was busy.', now)
  expect(words).toMatch(/^Tried again at .*\d\d:\d\d:09 \(in 9 s\), because fal was busy\.$/)
  expect(withLocalTimes('Not 2026-99-99T99:99:99.000Z or 2026.', now)).toBe(
    'Not 2026-99-99T99:99:99.000Z or 2026.',
  )
})
