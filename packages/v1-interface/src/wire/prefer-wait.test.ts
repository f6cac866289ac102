import { expect, test } from 'vitest'
import { preferredWaitSeconds } from './create-request.ts'

test('Prefer: wait=N is read alone, in a list, quoted, in capitals and with parameters', () => {
  for (const header of [
    'wait=10',
    'respond-async, wait=10',
    'Wait = "10"',
    'wait=10; x=y, foo',
    'wait=10, wait=20',
  ])
    expect(preferredWaitSeconds(header), header).toBe(10)
})

test('a malformed Prefer header and other preferences are ignored', () => {
  for (const header of [
    undefined,
    '',
    'wait',
    'wait=',
    'wait=-1',
    'wait=1.5',
    'wait=0x9',
    'wait=soon',
    'await=9',
    'wait="9',
  ])
    expect(preferredWaitSeconds(header), header).toBeUndefined()
})
