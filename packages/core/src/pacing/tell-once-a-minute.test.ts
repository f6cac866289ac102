import { expect, test } from 'vitest'
import { manualClock } from '@genmount/testing'
import { GenerationError } from '../errors/generation-error.ts'
import { tellOnceAMinute } from './once-a-minute.ts'

const unavailable = (cause: unknown, message = 'The job store does not answer.') =>
  new GenerationError('store_unavailable', message, { cause })

function setUp() {
  const clock = manualClock()
  const told: unknown[][] = []
  const log = tellOnceAMinute(
    { warn: (...line) => void told.push(line), error: (...line) => void told.push(line) },
    clock,
  )
  return { clock, told, log }
}

test('a store that fails is logged once with its fault, and then once a minute with the number of faults', async () => {
  const { clock, told, log } = setUp()
  const locked = Object.assign(new Error('database is locked'), { code: 'ERR_SQLITE_ERROR' })
  for (let request = 0; request < 1000; request++)
    log.error(`Request ${request} failed.`, { cause: unavailable(locked) })
  expect(told).toEqual([['Request 0 failed. The job store does not answer.', { cause: locked }]])

  await clock.advance(59_000)
  log.error('Request 1000 failed.', { cause: unavailable(locked) })
  expect(told).toHaveLength(1)
  await clock.advance(1000)
  log.error('Request 1001 failed.', { cause: unavailable(locked) })
  log.error('Request 1002 failed.', { cause: unavailable(locked) })
  expect(told.slice(1)).toEqual([
    [
      'Request 1001 failed. The job store does not answer. This has happened 1001 times since the last line about it: database is locked',
      { leftOut: 1000 },
    ],
  ])

  // A change of the wall clock neither hides an error nor repeats it.
  clock.set(0)
  log.error('Request 1003 failed.', { cause: unavailable(locked) })
  expect(told).toHaveLength(2)
  await clock.advance(60_000)
  log.error('Request 1004 failed.', { cause: unavailable(locked) })
  expect(told).toHaveLength(3)
  expect(String(told[2])).toContain('3 times')
})

test('faults of another store and of another kind are logged separately', () => {
  const { told, log } = setUp()
  const fault = (code: string) => Object.assign(new Error(`at ${told.length}`), { code })
  for (const code of ['EIO', 'ENOSPC', 'EIO']) log.error('One.', { cause: unavailable(fault(code)) })
  log.error('Two.', { cause: unavailable(fault('EIO'), 'The file store can not be reached.') })
  log.error('Three.', { cause: unavailable(undefined) })
  expect(told.map(([message]) => message)).toEqual([
    'One. The job store does not answer.',
    'One. The job store does not answer.',
    'Two. The file store can not be reached.',
    'Three. The job store does not answer.',
  ])
})

test('log lines about anything but a failing store are logged each time, unchanged', () => {
  const { told, log } = setUp()
  const bug = new TypeError('x is undefined')
  const full = new GenerationError('capacity_exceeded', 'No room.', { cause: bug })
  for (let time = 0; time < 2; time++) {
    log.warn('Careful.')
    log.error('A bug.', { job: 'job-1', cause: bug })
    log.error('No room.', { cause: full })
    log.error('No cause.')
  }
  const each = [
    ['Careful.'],
    ['A bug.', { job: 'job-1', cause: bug }],
    ['No room.', { cause: full }],
    ['No cause.', undefined],
  ]
  expect(told).toEqual([...each, ...each])
})
