import { expect, test } from 'vitest'
import { errorReport, readHandle } from './status-report.ts'

test('polls that do not reach the vendor leave the task running, however often', () => {
  for (const message of ['Cannot connect to API: other side closed', 'Invalid JSON response', 'Unauthorized'])
    expect(() => errorReport({ operation: 1, doubts: 9 }, message)).toThrow(message)
})

test('an error of a gateway fails the task after three polls in a row', () => {
  let handle = readHandle({ operation: { id: 'a' } })
  for (let times = 1; times < 3; times++) {
    const report = errorReport(handle, 'Service Unavailable')
    expect(report).toMatchObject({ state: 'running', pollAfterMs: 10_000 })
    handle = readHandle('handle' in report ? report.handle : null)
    expect(handle.operation).toEqual({ id: 'a' })
  }
  expect(errorReport(handle, 'Service Unavailable')).toMatchObject({ code: 'provider_failed' })
})

test('a foreign task handle throws an error that says so', () => {
  for (const handle of [null, 'text', 1, [], { id: 'a' }]) expect(() => readHandle(handle)).toThrow('handle')
})
