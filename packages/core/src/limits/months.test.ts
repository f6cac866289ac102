import { expect, test } from 'vitest'
import { isTimeZone, months } from './months.ts'

test.each([
  ['UTC', '2026-02-01T00:00:00.000Z', '2026-03-01T00:00:00.000Z'],
  // Summer time begins and ends within the month.
  ['Europe/Berlin', '2026-02-28T23:00:00.000Z', '2026-03-31T22:00:00.000Z'],
  ['Europe/Berlin', '2026-09-30T22:00:00.000Z', '2026-10-31T23:00:00.000Z'],
  ['America/New_York', '2026-11-01T04:00:00.000Z', '2026-12-01T05:00:00.000Z'],
  // In the south it is the other way round, and half an hour.
  ['Australia/Lord_Howe', '2026-03-31T13:00:00.000Z', '2026-04-30T13:30:00.000Z'],
  ['Asia/Kathmandu', '2026-05-31T18:15:00.000Z', '2026-06-30T18:15:00.000Z'],
  // The longest way around the world.
  ['Pacific/Kiritimati', '2025-12-31T10:00:00.000Z', '2026-01-31T10:00:00.000Z'],
])('in %s a month lasts from %s to %s, at each of its instants', (timeZone, from, until) => {
  const month = { from: Date.parse(from), until: Date.parse(until) }
  for (const at of [month.from, month.from + 12_345_678, month.until - 1])
    expect(months(timeZone)(at)).toEqual(month)
  const monthOf = months(timeZone)
  expect(monthOf(month.until - 1)).toEqual(month)
  expect(monthOf(month.until).from).toBe(month.until)
  // A clock that was set back.
  expect(monthOf(month.from)).toEqual(month)
  expect(monthOf(month.from - 1).until).toBe(month.from)
})

test('the boundaries of all months of thirty years are multiples of 5 minutes', () => {
  for (const timeZone of ['Asia/Kathmandu', 'Australia/Lord_Howe', 'America/St_Johns', 'Pacific/Chatham']) {
    const monthOf = months(timeZone)
    let at = Date.parse('2020-01-15T00:00:00.000Z')
    for (let month = 0; month < 360; month++) {
      at = monthOf(at).until
      expect(at % (5 * 60_000)).toBe(0)
    }
  }
})

test('a time zone is a name that the runtime knows', () => {
  expect(['UTC', 'Europe/Berlin', 'Mars/Olympus', '', ' '].map(isTimeZone)).toEqual([
    true,
    true,
    false,
    false,
    false,
  ])
})
