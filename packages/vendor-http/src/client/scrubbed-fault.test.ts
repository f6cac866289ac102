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

test('the errors of each address of a host are told without the key too, with their codes', () => {
  const each = Object.assign(new Error('connect failed for s3cr:et'), {
    code: 'ETIMEDOUT',
    syscall: 'connect',
  })
  const cause = Object.assign(new AggregateError([each], ''), { code: 'ETIMEDOUT' })
  const fault = scrubbedFault(new TypeError('fetch failed', { cause }), scrub)
  expect(fault).toMatchObject({
    cause: {
      name: 'AggregateError',
      code: 'ETIMEDOUT',
      errors: [{ message: 'connect failed for [secret]', code: 'ETIMEDOUT', syscall: 'connect' }],
    },
  })
})

test('any other fault stays what it is', () => {
  const fault = new Error('socket hang up', { cause: { code: 'ECONNRESET' } })
  expect(scrubbedFault(fault, scrub)).toBe(fault)
  const endless = new Error('again')
  endless.cause = endless
  expect(scrubbedFault(endless, scrub)).toMatchObject({ message: 'again' })
})
