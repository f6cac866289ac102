import { expect, test } from 'vitest'
import { manualClock } from '@genmount/testing'
import { shortageWatch } from './gate.ts'

const noDescriptors = new TypeError('fetch failed', {
  cause: Object.assign(new Error('connect EMFILE'), { code: 'EMFILE', syscall: 'connect' }),
})

function setUp() {
  const clock = manualClock(0)
  const told: string[] = []
  const note = (message: string) => void told.push(message)
  return { clock, told, watch: shortageWatch(clock, { warn: note, error: note }) }
}

test('a process that runs out of file descriptors makes no submits for five seconds after the last shortage', async () => {
  const { clock, watch } = setUp()
  expect(watch.pauseMs()).toBe(0)
  expect(watch.notice(noDescriptors)).toBe(true)
  expect(watch.pauseMs()).toBe(5000)
  await clock.advance(4000)
  watch.notice(noDescriptors)
  await clock.advance(4999)
  expect(watch.pauseMs()).toBe(1)
  await clock.advance(1)
  expect(watch.pauseMs()).toBe(0)
})

test('a shortage of file descriptors is logged once a minute, and again when it returns', async () => {
  const { clock, told, watch } = setUp()
  const line = 'This process has run out of file descriptors (EMFILE): no new jobs are submitted for 5 s.'
  for (let second = 0; second < 60; second++) {
    for (let job = 0; job < 20; job++) watch.notice(noDescriptors)
    await clock.advance(1000)
  }
  expect(told).toEqual([line])
  watch.notice(noDescriptors)
  expect(told).toEqual([line, line])
})

test('errors other than a shortage of descriptors pause nothing', () => {
  const { told, watch } = setUp()
  for (const error of [new Error('EMFILE'), { code: 'EMFILE' }, undefined])
    expect(watch.notice(error)).toBe(false)
  expect([watch.pauseMs(), told]).toEqual([0, []])
})
