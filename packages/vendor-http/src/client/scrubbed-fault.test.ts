import { expect, test } from 'vitest'
import { scrubbedFault } from './scrubbed-fault.ts'
import { scrubber } from './scrubber.ts'

const scrub = scrubber(['s3cr:et'])

test('a fault that quotes the key is told without it, and with the code of its cause', () => {
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

test('a fault of several addresses is told without the key in any of them, and with their codes', () => {
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

test('any other fault stays what it is', () => {
  const both = new AggregateError([new Error('one'), new Error('two')], 'both')
  expect(scrubbedFault(both, scrub)).toBe(both)
  const fault = new Error('socket hang up', { cause: { code: 'ECONNRESET' } })
  expect(scrubbedFault(fault, scrub)).toBe(fault)
  const endless = new Error('again')
  endless.cause = endless
  expect(scrubbedFault(endless, scrub)).toMatchObject({ message: 'again' })
})

test('a secret in any other part of an error, such as the URL that it names, is left out with that part', () => {
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
