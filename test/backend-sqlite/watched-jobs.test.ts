import { existsSync, mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createGenerationService } from '@genmount/core'
import { sqliteBackend } from '@genmount/backend-sqlite'
import { exampleJob, fakeProvider, manualClock } from '@genmount/testing'
import { longestBlockOf } from './longest-block.ts'
import { startProcess } from './started-process.ts'
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

test('whoever waits at one process is answered when another finishes the job, well before the wait is over', async () => {
  const file = temporaryFile()
  const backend = sqliteBackend({ file })
  const service = createGenerationService({ providers: [fakeProvider()], backend })
  onTestFinished(async () => void (await service.close()))
  const { line, child } = startProcess('finish-jobs.ts', [file])
  for (const id of ['first', 'second', 'third']) {
    const createdAt = Date.now()
    // The other backend holds the claim, so this one only waits.
    await backend.jobs.insert(
      exampleJob({ id, createdAt, phase: 'running', claimedUntil: createdAt + 600_000 }),
    )
    const answered = service.waitFor(id, 'alice').then((job) => ({ job, at: Date.now() }))
    child.stdin?.write(`${id}\n`)
    const finishedAt = Number(await line())
    const { job, at } = await answered
    expect(job.phase).toBe('completed')
    expect(at - finishedAt).toBeLessThan(3_000)
  }
})

test('a watch is woken within half a second of a write elsewhere, each time, and not by those to other jobs', async () => {
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

test('this process wakes its watches by publishing, not by looking at what it has written itself', async () => {
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

test('what happens elsewhere right after a watch has begun is not missed', async () => {
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

test('a watch that is ended is not woken, not even by what was written before', async () => {
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

test('a wake may end watches and begin others, and one timer serves them all', async () => {
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

test('no timer runs while nobody watches, and watches that end soon do not touch the file', async () => {
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

test('closing ends the looks at the file, whoever still watches or begins to', async () => {
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

test('a file that can not be opened for a while is looked at once it can', async () => {
  const { clock, file, other, awake, watch } = setUp(join(dirname(temporaryFile()), 'later', 'jobs.db'))
  watch('job-1')
  await clock.advance(1_000)
  expect(awake).toEqual([])
  mkdirSync(dirname(file))
  await other.jobs.insert(exampleJob({ id: 'job-1' }))
  await expect.poll(() => clock.advance(500).then(() => awake)).toEqual(['job-1'])
})

test('ten thousand waiters whose jobs end elsewhere are all woken, and the event loop has its turns', async () => {
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
