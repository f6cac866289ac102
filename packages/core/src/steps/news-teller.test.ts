import { expect, test } from 'vitest'
import { manualClock } from '@genmount/testing'
import type { JobNews } from '../contracts/job-news.ts'
import { memorySignals } from '../defaults/memory-signals.ts'
import { newsTeller } from './news-teller.ts'

test('whoever listens to a job is told of it at most four times a second, however often its provider says something', async () => {
  const clock = manualClock()
  const signals = memorySignals()
  const tell = newsTeller(signals, clock)
  const heard: JobNews[] = []
  signals.news.subscribe('a', (news) => heard.push(news))
  for (let poll = 0; poll < 100; poll++) {
    tell('a', { progress: poll / 100 })
    await clock.advance(20)
  }
  expect(heard.length).toBeGreaterThanOrEqual(7)
  expect(heard.length).toBeLessThanOrEqual(8)
  expect(clock.pendingTimers).toBe(0)
})

test('each job has its own pace, and a report that tells nothing is not told', () => {
  const signals = memorySignals()
  const tell = newsTeller(signals, manualClock())
  const heard: string[] = []
  for (const id of ['a', 'b']) signals.news.subscribe(id, () => heard.push(id))
  for (const id of ['a', 'b', 'a']) tell(id, { queuePosition: 1 })
  tell('c', {})
  expect(heard).toEqual(['a', 'b'])
})
