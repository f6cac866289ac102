import { expect, test } from 'vitest'
import { connectionError, refusalError } from './bucket-error.ts'

test('the error of a bucket that can not be reached has the reason as a word and not as a number', () => {
  const told = (cause: unknown) => connectionError('outputs', cause).message
  const start = "Files in bucket outputs: the server can't be reached"
  const refused = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' })
  expect(told(new TypeError('fetch failed', { cause: refused }))).toBe(`${start} (ECONNREFUSED).`)
  expect(told(refused)).toBe(`${start} (ECONNREFUSED).`)
  expect(told(new DOMException('The operation timed out.', 'TimeoutError'))).toBe(
    `${start} (The operation timed out.).`,
  )
})

test('a request to a bucket is tried again only after an error that may pass', () => {
  const isPassing = (status: number, code = '') =>
    refusalError('outputs', { status, text: `<Error><Code>${code}</Code></Error>`, right: 's3:PutObject' })
      .isPassing
  for (const status of [429, 500, 502, 503, 504]) expect(isPassing(status)).toBe(true)
  expect([isPassing(400, 'RequestTimeout'), isPassing(400, 'ExpiredToken')]).toEqual([true, true])
  for (const [status, code] of [
    [400, 'InvalidArgument'],
    [403, 'AccessDenied'],
    [404, 'NoSuchBucket'],
    [501, 'NotImplemented'],
  ] as const)
    expect(isPassing(status, code)).toBe(false)
})
