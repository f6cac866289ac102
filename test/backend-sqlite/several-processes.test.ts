import { expect, test } from 'vitest'
import { sqliteBackend } from '@genmount/backend-sqlite'
import { exampleJob } from '@genmount/testing'
import { raceForOneFile } from './race-for-one-file.ts'
import { startTask } from './start-script.ts'
import { temporaryFile } from './temporary-file.ts'

test('three processes that make one file at once agree on who holds an idempotency key and whose write counts', () =>
  raceForOneFile())

test('a job that one process has inserted into the SQLite file is read by another process at once', async () => {
  const file = temporaryFile()
  const writer = startTask('insert for ever', [file, 'theirs'])
  const backend = sqliteBackend({ file })
  for (let count = 0; count < 30; count++) {
    const theirs = await writer.line()
    expect(await backend.jobs.get(theirs)).toEqual(exampleJob({ id: theirs }))
    expect(await backend.jobs.insert(exampleJob({ id: `ours-${count}` }))).toEqual({ outcome: 'inserted' })
  }
  await backend.close()
})

test('three processes that write to one SQLite file all the time block neither each other nor a plain SQLite reader', async () => {
  const file = temporaryFile()
  const backend = sqliteBackend({ file })
  await backend.jobs.get('any')
  const reader = startTask('read plainly', [file])
  expect(await reader.line()).toBe('reading')
  const workers = ['red', 'green', 'blue'].map((name) => startTask('work hard', [file, name]))
  const reports = (await Promise.all(workers.map((worker) => worker.line()))).map(
    (line) => JSON.parse(line) as { ended: number; turns: number; longestBlock: number },
  )
  reader.child.stdin?.end()
  for (const { ended, turns, longestBlock } of reports) {
    expect(ended).toBeGreaterThan(0)
    expect(longestBlock).toBeLessThan(200)
    // An idle machine counts about 500 turns in the two seconds. If the event loop waited for the lock, there would be fewer than ten.
    expect(turns).toBeGreaterThan(40)
  }
  // Had it met an error or a job that was half written, it would have ended without this line.
  expect(Number(await reader.line())).toBeGreaterThan(0)
  await backend.close()
})
