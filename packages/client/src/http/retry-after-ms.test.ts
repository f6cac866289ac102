import { expect, test } from 'vitest'
import { retryAfterMs } from './retry-after-ms.ts'

const now = Date.UTC(2026, 10, 26, 12)
const read = (value: string) => retryAfterMs(new Response(null, { headers: { 'retry-after': value } }), now)

test.each([
  ['0', 0],
  ['7', 7000],
  [' 7 ', 7000],
  ['864000', 864_000_000],
  ['0.5', 500],
  ['0.0001', 1],
  ['2026', 2_026_000],
])('the pause %j in seconds is read as %s ms', (value, ms) => {
  expect(read(value)).toBe(ms)
})

test.each(['Thu, 26 Nov 2026 12:01:00 GMT', 'Thursday, 26-Nov-26 12:01:00 GMT', 'Thu Nov 26 12:01:00 2026'])(
  'the HTTP date %j is read in any time zone as the pause until then',
  (value) => {
    const { TZ } = process.env
    process.env['TZ'] = 'America/New_York'
    try {
      expect(read(value)).toBe(60_000)
    } finally {
      if (TZ === undefined) delete process.env['TZ']
      else process.env['TZ'] = TZ
    }
  },
)

test('a date that has passed is read as no pause', () => {
  expect(read('Thu, 26 Nov 2026 11:59:00 GMT')).toBe(0)
})

test.each(['', 'soon', 'after 5', '-5', '1e3', '7, 9', '2026-11-26', 'Thu, 26 Nov 2026', '26:99:99'])(
  'the text %j, which is neither seconds nor an HTTP date, is ignored',
  (value) => {
    expect(read(value)).toBeUndefined()
  },
)

test('an answer without the header asks for no pause', () => {
  expect(retryAfterMs(new Response())).toBeUndefined()
})
