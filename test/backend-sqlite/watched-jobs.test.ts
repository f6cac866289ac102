import { existsSync, mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createGenerationService } from '@genmount/core'
import { sqliteBackend } from '@genmount/backend-sqlite'
import { exampleJob, fakeProvider, manualClock } from '@genmount/testing'
import { longestBlockOf } from './event-loop.ts'
import { startTask } from './start-script.ts'
import { temporaryFile } from './temporary-file.ts'

/** Two backends on one file, as two processes have them; the clock is that of the one that watches. */
function setUp(file = temporaryFile()) {
  const clock = manualClock()
  const backend = sqliteBackend({ file, clock })
  const other = sqliteBackend({ file })
  onTestFinished(async () => {
    await backend.close()
    await other.close()
  })
  const awake: string[] = []
  return {
    file,
    clock,
    backend,
    other,
    awake,
    watch: (jobId: string) => backend.signals.subscribe(jobId, () => awake.push(jobId)),
    writeElsewhere: (id: string, revision: number) =>
      other.jobs.replace(exampleJob({ id, revision: revision + 1 }), revision),
  }
}

test('waitFor in one process returns within 3 seconds after another process has finished the job in the SQLite file', async () => {
  const file = temporaryFile()
  const backend = sqliteBackend({ file })
  const service = createGenerationService({ providers: [fakeProvider()], backend })
  onTestFinished(async () => void (await service.close()))
  const { ask } = startTask('finish jobs', [file])
  for (const id of ['first', 'second', 'third']) {
    const createdAt = Date.now()
    // The other backend holds the claim, so this one only waits.
    await backend.jobs.insert(
      exampleJob({ id, createdAt, phase: 'running', claim: { until: createdAt + 600_000 } }),
    )
    const answered = service.waitFor(id, 'alice').then((job) => ({ job, at: Date.now() }))
    const finishedAt = Number(await ask(id))
    const { job, at } = await answered
    expect(job.phase).toBe('completed')
    expect(at - finishedAt).toBeLessThan(3_000)
  }
})

test('a subscriber is woken within half a second of each write of its job by another backend, and not by writes of other jobs', async () => {
  const { clock, other, awake, watch, writeElsewhere } = setUp()
  const ids = ['job-1', 'job-2', 'job-3']
  for (const id of ids) await other.jobs.insert(exampleJob({ id }))
  watch('job-1')
  watch('job-2')
  await clock.advance(500)
  for (const revision of [1, 2, 3]) {
    awake.length = 0
    await clock.advance(5_000)
    expect(awake).toEqual([])
    await writeElsewhere('job-3', revision)
    await clock.advance(500)
    expect(awake).toEqual([])
    await writeElsewhere('job-1', revision)
    await clock.advance(500)
    expect(awake).toEqual(['job-1'])
  }
  await other.jobs.delete('job-2')
  await clock.advance(500)
  expect(awake).toEqual(['job-1', 'job-2'])
})

test('a backend wakes its own subscribers by publish, not by reading its own writes', async () => {
  const { clock, backend, awake, watch } = setUp()
  await backend.jobs.insert(exampleJob({ id: 'job-1' }))
  watch('job-1')
  await clock.advance(500)
  awake.length = 0
  await backend.jobs.replace(exampleJob({ id: 'job-1', revision: 2 }), 1)
  await clock.advance(5_000)
  expect(awake).toEqual([])
  backend.signals.publish('job-1')
  expect(awake).toEqual(['job-1'])
})

test('a write by another backend right after subscribe wakes the subscriber', async () => {
  const { clock, other, awake, watch, writeElsewhere } = setUp()
  for (const id of ['job-1', 'job-2', 'job-3']) await other.jobs.insert(exampleJob({ id }))
  watch('job-1')()
  watch('job-1')
  await clock.advance(500)
  awake.length = 0
  await clock.advance(499)
  watch('job-2')
  watch('job-3')
  await writeElsewhere('job-2', 1)
  await other.jobs.delete('job-3')
  await clock.advance(1)
  expect(awake).toEqual(['job-2', 'job-3'])
})

test('a subscription that was ended is not woken, also not by a write before its end', async () => {
  const { clock, other, awake, watch, writeElsewhere } = setUp()
  await other.jobs.insert(exampleJob({ id: 'job-1' }))
  const end = watch('job-1')
  watch('job-2')
  await clock.advance(500)
  awake.length = 0
  await writeElsewhere('job-1', 1)
  end()
  await clock.advance(500)
  expect(awake).toEqual([])
})

test('a subscriber may end subscriptions and begin others when it is woken, and one timer serves all', async () => {
  const { clock, backend, other, awake, watch, writeElsewhere } = setUp()
  for (const id of ['job-1', 'job-2']) await other.jobs.insert(exampleJob({ id }))
  const end = backend.signals.subscribe('job-1', () => {
    end()
    endOther()
    watch('job-1')
  })
  const endOther = watch('job-2')
  await clock.advance(500)
  expect(awake).toEqual([])
  expect(clock.pendingTimers).toBe(1)
  await writeElsewhere('job-1', 1)
  await clock.advance(500)
  expect(awake).toEqual(['job-1'])
})

test('no timer runs without subscribers, and subscriptions that end at once do not open the SQLite file', async () => {
  const { clock, file, watch } = setUp()
  expect(clock.pendingTimers).toBe(0)
  const ends = ['job-1', 'job-1', 'job-2'].map(watch)
  expect(clock.pendingTimers).toBe(1)
  for (const end of [...ends, ...ends]) end()
  expect(clock.pendingTimers).toBe(0)
  watch('job-1')()
  await clock.advance(10_000)
  expect(existsSync(file)).toBe(false)
})

test('close ends the timer that reads the SQLite file, also when there are subscribers or new ones come', async () => {
  const { clock, backend, watch } = setUp()
  const end = watch('job-1')
  await clock.advance(700)
  expect(clock.pendingTimers).toBe(1)
  await backend.close()
  expect(clock.pendingTimers).toBe(0)
  end()
  watch('job-2')
  await clock.advance(10_000)
  expect(clock.pendingTimers).toBe(0)
})

test('subscribers are woken once a SQLite file that could not be opened can be opened', async () => {
  const { clock, file, other, awake, watch } = setUp(join(dirname(temporaryFile()), 'later', 'jobs.db'))
  watch('job-1')
  await clock.advance(1_000)
  expect(awake).toEqual([])
  mkdirSync(dirname(file))
  await other.jobs.insert(exampleJob({ id: 'job-1' }))
  await expect.poll(() => clock.advance(500).then(() => awake)).toEqual(['job-1'])
})

test('10,000 subscribers whose jobs another backend finishes are all woken, and the event loop is blocked for less than 200 ms', async () => {
  const file = temporaryFile()
  const backend = sqliteBackend({ file })
  const other = sqliteBackend({ file })
  const ids = Array.from({ length: 10_000 }, (_, index) => `job-${index}`)
  await Promise.all(ids.map((id) => other.jobs.insert(exampleJob({ id }))))
  const finished = new Set<string>()
  const block = await longestBlockOf(async () => {
    const answered = ids.map((id) => {
      const { promise, resolve } = Promise.withResolvers<void>()
      backend.signals.subscribe(id, async () => {
        if ((await backend.jobs.get(id))?.phase !== 'completed') return
        finished.add(id)
        resolve()
      })
      return promise
    })
    const write = (id: string) => other.jobs.replace(exampleJob({ id, phase: 'completed', revision: 2 }), 1)
    for (const [index, id] of ids.entries()) await (index % 100 === 99 ? write(id) : void write(id))
    await Promise.all(answered)
  })
  expect(finished.size).toBe(10_000)
  expect(block).toBeLessThan(200)
  await backend.close()
  await other.close()
})
