import { expect, test } from 'vitest'
import { scrubbedFault } from './scrubbed-fault.ts'
import { scrubber } from './scrubber.ts'

const scrub = scrubber(['s3cr:et'])

test('an error that quotes the key is passed on without it, with the code of its cause', () => {
  const cause = Object.assign(new Error('connect failed for s3cr:et'), {
    code: 'ECONNREFUSED',
    syscall: 'connect',
  })
  const fault = scrubbedFault(
    new TypeError('No way to https://acme.example/?key=s3cr%3Aet', { cause }),
    scrub,
  )
  expect(fault).toMatchObject({
    name: 'TypeError',
    message: 'No way to https://acme.example/?key=[secret]',
    cause: { message: 'connect failed for [secret]', code: 'ECONNREFUSED', syscall: 'connect' },
  })
})

test('an error of several addresses is passed on without the key, with their codes', () => {
  const refused = (message: string) =>
    Object.assign(new Error(message), { code: 'ECONNREFUSED', syscall: 'connect' })
  const fault = new AggregateError([refused('connect ::1'), refused('connect s3cr:et')], '')
  expect(scrubbedFault(fault, scrub)).toMatchObject({
    errors: [
      { message: 'connect ::1', code: 'ECONNREFUSED', syscall: 'connect' },
      { message: 'connect [secret]', code: 'ECONNREFUSED', syscall: 'connect' },
    ],
  })
})

test('an error without the key is passed on unchanged', () => {
  const both = new AggregateError([new Error('one'), new Error('two')], 'both')
  expect(scrubbedFault(both, scrub)).toBe(both)
  const fault = new Error('socket hang up', { cause: { code: 'ECONNRESET' } })
  expect(scrubbedFault(fault, scrub)).toBe(fault)
  const endless = new Error('again')
  endless.cause = endless
  expect(scrubbedFault(endless, scrub)).toMatchObject({ message: 'again' })
})

test('other fields of an error that may contain a secret, such as its URL, are dropped', () => {
  const parts = { url: 'https://acme.example/?key=s3cr%3Aet', code: 'ERR_URL', request: { a: ['s3cr:et'] } }
  for (const part of ['url', 'request'] as const) {
    const fault = Object.assign(new Error('No way.'), { code: parts.code, [part]: parts[part] })
    const scrubbed = scrubbedFault(fault, scrub) as Error
    expect({ ...scrubbed, message: scrubbed.message }).toEqual({
      message: 'No way.',
      name: 'Error',
      code: 'ERR_URL',
    })
  }
})
