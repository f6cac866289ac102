import { expect, test } from 'vitest'
import { manualClock } from '@genmount/testing'
import type { Job } from '../contracts/job.ts'
import { memorySignals } from '../defaults/memory-signals.ts'
import { isFinished } from './job-machine.ts'
import { type Wait, waitingRoom } from './wait-budget.ts'

const clock = manualClock()
const running = { id: 'gen_1', owner: 'alice', phase: 'running' } as Job
const completed: Job = { ...running, phase: 'completed' }

function setUp(read: () => Promise<Job>) {
  const signals = memorySignals()
  const room = waitingRoom({ signals, clock, read, maxWaiters: 1 })
  const timers = clock.pendingTimers
  let listeners = 0
  let leave = () => {}
  const onLeave = (listener: () => void) => {
    listeners++
    leave = listener
    return () => void listeners--
  }
  return {
    room,
    wait: (more: Partial<Wait> = {}) =>
      room.wait({ known: running, isWanted: isFinished, budgetMs: 5000, onLeave, ...more }),
    leave: () => leave(),
    publish: () => signals.publish(running.id),
    left: () => listeners + clock.pendingTimers - timers,
  }
}

test('what has happened before the wait began is not missed', async () => {
  const { wait, left } = setUp(async () => completed)
  expect(await wait()).toBe(completed)
  expect(left()).toBe(0)
})

test('what happens while the job is being read is not missed', async () => {
  const reads = [Promise.withResolvers<Job>(), Promise.withResolvers<Job>()]
  let count = 0
  const { wait, publish, left } = setUp(() => reads[count++]!.promise)
  const waited = wait()
  publish()
  publish()
  reads[0]!.resolve(running)
  reads[1]!.resolve(completed)
  expect(await waited).toBe(completed)
  expect([count, left()]).toEqual([2, 0])
})

test('a store that hangs holds up neither one who leaves nor the shutdown', async () => {
  const { room, wait, leave, left } = setUp(() => new Promise(() => {}))
  const first = wait()
  leave()
  expect(await first).toBe(running)
  const second = wait()
  room.close()
  expect(await second).toBe(running)
  expect(await wait()).toBe(running)
  expect(left()).toBe(0)
})

test('a store that hangs does not hold up the answer at the end of the budget', async () => {
  const { wait, left } = setUp(() => new Promise(() => {}))
  const waited = wait()
  await clock.advance(5000)
  expect(await waited).toBe(running)
  expect(left()).toBe(0)
})

test('a read that fails ends the wait, and nobody hears of it who has left', async () => {
  const fault = Promise.withResolvers<Job>()
  const { wait, leave, left } = setUp(() => fault.promise)
  const first = wait()
  leave()
  const second = wait()
  fault.reject(new Error('The disk is gone.'))
  expect(await first).toBe(running)
  await expect(second).rejects.toThrow('The disk is gone.')
  expect(left()).toBe(0)
})

test('one who has left before the wait begins takes no place', async () => {
  const { wait, left } = setUp(async () => running)
  const gone = (leave: () => void) => {
    leave()
    return () => {}
  }
  expect(await wait({ onLeave: gone })).toBe(running)
  await clock.advance(0)
  expect(left()).toBe(0)
  const next = wait()
  expect(left()).toBe(2)
  await clock.advance(5000)
  expect(await next).toBe(running)
  expect(left()).toBe(0)
})
