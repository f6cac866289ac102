import { expect, test } from 'vitest'
import { manualClock } from '@genmount/testing'
import type { JobNews } from '../contracts/provider-report.ts'
import { memorySignals } from '../defaults/memory-signals.ts'
import { newsTeller } from './task-follower.ts'

test('listeners get news of a job at most four times a second, however often its provider reports', async () => {
  const clock = manualClock()
  const signals = memorySignals()
  const tell = newsTeller(signals, clock)
  const heard: JobNews[] = []
  signals.news.subscribe('a', (news) => heard.push(news))
  for (let poll = 0; poll < 100; poll++) {
    tell('a', { progress: poll / 100 })
    await clock.advance(20)
  }
  // At the beginning, and at the end of each pause.
  expect(heard).toHaveLength(1 + 8)
  expect(heard.at(-1)).toEqual({ progress: 0.99 })
  expect(clock.pendingTimers).toBe(0)
})

test('the last news within a pause is sent once at its end, with the last preview', async () => {
  const clock = manualClock()
  const signals = memorySignals()
  const tell = newsTeller(signals, clock)
  const heard: JobNews[] = []
  signals.news.subscribe('a', (news) => heard.push(news))
  const preview = { bytes: new Uint8Array([1]), contentType: 'image/png' }
  tell('a', { queuePosition: 1 })
  tell('a', { queuePosition: 0 })
  tell('a', { progress: 0.1, preview })
  tell('a', { progress: 0.2 })
  expect(heard).toEqual([{ queuePosition: 1 }])
  await clock.advance(250)
  expect(heard.slice(1)).toEqual([{ progress: 0.2, preview }])
  await clock.advance(10_000)
  expect(heard).toHaveLength(2)
  expect(clock.pendingTimers).toBe(0)
})

test('news are sent after a pause also when its timer was lost', () => {
  const timers = manualClock()
  let now = 0
  const signals = memorySignals()
  const tell = newsTeller(signals, { ...timers, uptime: () => now })
  const heard: JobNews[] = []
  signals.news.subscribe('a', (news) => heard.push(news))
  for (const progress of [0.1, 0.2]) tell('a', { progress })
  now = 250
  tell('a', { progress: 0.3 })
  expect(heard).toEqual([{ progress: 0.1 }, { progress: 0.3 }])
})

test('news of each job are paced separately, and a report without news is not sent', () => {
  const signals = memorySignals()
  const tell = newsTeller(signals, manualClock())
  const heard: string[] = []
  for (const id of ['a', 'b']) signals.news.subscribe(id, () => heard.push(id))
  for (const id of ['a', 'b', 'a']) tell(id, { queuePosition: 1 })
  tell('c', {})
  expect(heard).toEqual(['a', 'b'])
})
