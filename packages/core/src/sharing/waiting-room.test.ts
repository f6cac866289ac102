import { expect, test } from 'vitest'
import { manualClock } from '@genmount/testing'
import type { Job } from '../contracts/job.ts'
import { memorySignals } from '../defaults/memory-signals.ts'
import { isFinished } from '../job/job-state.ts'
import { type Wait, waitingRoom } from './waiting-room.ts'

const clock = manualClock()
const running = { id: 'gen_1', owner: 'alice', phase: 'running' } as Job
const completed: Job = { ...running, phase: 'completed' }

/** Counts the holds that keep the process alive. */
function heldProcess() {
  let count = 0
  const keepProcessAlive = () => {
    count++
    return () => void count--
  }
  return { keepProcessAlive, held: () => count }
}

function setUp(read: () => Promise<Job>) {
  const signals = memorySignals()
  const { keepProcessAlive, held } = heldProcess()
  const places = { maxWaiters: 1, maxWaitersPerOwner: 1 }
  const room = waitingRoom({ signals, clock, read, keepProcessAlive, ...places })
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
      room.wait({
        id: running.id,
        owner: running.owner,
        latestKnown: running,
        isWanted: isFinished,
        budgetMs: 5000,
        onLeave,
        ...more,
      }),
    leave: () => leave(),
    publish: () => signals.publish(running.id),
    left: () => listeners + clock.pendingTimers - timers + held(),
  }
}

test('a waiter gets a change that happened before the wait began', async () => {
  const { wait, left } = setUp(async () => completed)
  expect(await wait()).toBe(completed)
  expect(left()).toBe(0)
})

test('a waiter gets a change that happened while the job was read', async () => {
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

test('a hanging store delays neither a waiter that leaves nor the shutdown', async () => {
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

test('a hanging store does not delay the answer at the end of the wait budget', async () => {
  const { wait, left } = setUp(() => new Promise(() => {}))
  const waited = wait()
  await clock.advance(5000)
  expect(await waited).toBe(running)
  expect(left()).toBe(0)
})

test('a failing read ends the wait with its error, unless the waiter has left', async () => {
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

test('a waiter that has left before the wait begins takes no place', async () => {
  const { wait, left } = setUp(async () => running)
  const gone = (leave: () => void) => {
    leave()
    return () => {}
  }
  expect(await wait({ onLeave: gone })).toBe(running)
  await clock.advance(0)
  expect(left()).toBe(0)
  const next = wait()
  expect(left()).toBe(3)
  await clock.advance(5000)
  expect(await next).toBe(running)
  expect(left()).toBe(0)
})

test('an owner may use every place of waiters, and when another owner needs one, its longest wait is answered', async () => {
  const signals = memorySignals()
  const read = async (id: string, owner: string) => ({ ...running, id, owner })
  const { keepProcessAlive, held } = heldProcess()
  const places = { maxWaiters: 4, maxWaitersPerOwner: 2 }
  const room = waitingRoom({ signals, clock, read, keepProcessAlive, ...places })
  const answered: string[] = []
  const wait = async (owner: string, id: string) => {
    await room.wait({
      id,
      owner,
      latestKnown: { ...running, id, owner },
      isWanted: isFinished,
      budgetMs: 5000,
    })
    answered.push(id)
  }
  const waits: Promise<void>[] = []
  const come = async (...ids: string[]) => {
    for (const id of ids) waits.push(wait(id[0]!, id))
    await clock.advance(0)
  }
  await come('a1', 'a2', 'a3', 'a4')
  expect(answered).toEqual([])
  // One hold for all waiting requests.
  expect(held()).toBe(1)
  // All places are taken, and `a` has its whole share.
  await come('a5')
  expect(answered).toEqual(['a5'])
  await come('b1', 'c1')
  expect(answered).toEqual(['a5', 'a1', 'a2'])
  // No owner has more than its share now.
  await come('d1', 'b2', 'a6')
  expect(answered).toEqual(['a5', 'a1', 'a2', 'd1', 'b2', 'a6'])
  await clock.advance(5000)
  await Promise.all(waits)
  expect(clock.pendingTimers + held()).toBe(0)
  await come('d2', 'd3', 'd4', 'd5', 'a7', 'a8', 'a9')
  expect(answered.slice(-3)).toEqual(['d2', 'd3', 'a9'])
  room.close()
  await Promise.all(waits)
})
