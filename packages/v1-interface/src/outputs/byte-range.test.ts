import { expect, test } from 'vitest'
import { byteRange } from './byte-range.ts'

test('a Range header with one range gives that part of the file, cut at its end', () => {
  expect(byteRange('bytes=0-', 10)).toEqual({ start: 0, end: 9 })
  expect(byteRange('bytes=2-4', 10)).toEqual({ start: 2, end: 4 })
  expect(byteRange('Bytes=9-99999999999999999999', 10)).toEqual({ start: 9, end: 9 })
  expect(byteRange('bytes=-3', 10)).toEqual({ start: 7, end: 9 })
  expect(byteRange('bytes=-30', 10)).toEqual({ start: 0, end: 9 })
})

test('a range beyond the end of a file, or of an empty file, is answered with 416', () => {
  for (const range of ['bytes=10-', 'bytes=10-20', 'bytes=-0', 'bytes=99999999999999999999-'])
    expect(byteRange(range, 10)).toBe('unsatisfiable')
  for (const range of ['bytes=0-', 'bytes=-1']) expect(byteRange(range, 0)).toBe('unsatisfiable')
})

test('a Range header with several ranges, another unit or no range gives the whole file', () => {
  const headers = [
    'bytes=0-1,3-4',
    'lines=0-1',
    'bytes=4-2',
    'bytes=-',
    'bytes=a-b',
    'bytes',
    'bytes=1.5-',
    '',
    undefined,
  ]
  for (const header of headers) expect(byteRange(header, 10)).toBeUndefined()
})
