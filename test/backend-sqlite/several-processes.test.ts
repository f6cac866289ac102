import { once } from 'node:events'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { sqliteBackend } from '@genmount/backend-sqlite'
import { exampleJob } from '@genmount/testing'
import { startProcess } from './started-process.ts'
import { temporaryFile } from './temporary-file.ts'

test.each([1, 2, 3, 4, 5])(
  'three processes that make one file at once agree on who holds a key and whose write counts (round %i)',
  async () => {
    const file = temporaryFile()
    const racers = ['red', 'green', 'blue'].map((name) => startProcess('race.ts', [file, name]))
    const exits = racers.map(({ child }) => once(child, 'exit'))
    const outcomesOf = async () => {
      for (const { child } of racers) child.stdin?.write('go\n')
      const lines = await Promise.all(racers.map((racer) => racer.line()))
      return lines.flatMap((line) => JSON.parse(line) as string[])
    }
    expect(await Promise.all(racers.map((racer) => racer.line()))).toEqual(['ready', 'ready', 'ready'])

    const inserts = await outcomesOf()
    expect(inserts.filter((outcome) => outcome === 'inserted')).toHaveLength(1)
    expect(inserts.filter((outcome) => outcome === 'duplicate')).toHaveLength(74)

    const writes = await outcomesOf()
    expect(writes.filter((outcome) => outcome === 'replaced')).toHaveLength(1)
    expect(writes.filter((outcome) => outcome === 'stale')).toHaveLength(74)

    expect(await Promise.all(exits)).toEqual(racers.map(() => [0, null]))
    const database = new DatabaseSync(file)
    expect(database.prepare('SELECT count(*) AS jobs, max(revision) AS revision FROM jobs').get()).toEqual({
      jobs: 1,
      revision: 2,
    })
    expect(database.prepare('PRAGMA user_version').get()).toEqual({ user_version: 8 })
    database.close()
  },
)

test('what one process writes, another reads at once', async () => {
  const file = temporaryFile()
  const writer = startProcess('insert-until-killed.ts', [file, 'theirs'])
  const backend = sqliteBackend({ file })
  for (let count = 0; count < 30; count++) {
    const theirs = await writer.line()
    expect(await backend.jobs.get(theirs)).toEqual(exampleJob({ id: theirs }))
    expect(await backend.jobs.insert(exampleJob({ id: `ours-${count}` }))).toEqual({ outcome: 'inserted' })
  }
  await backend.close()
})

test('three processes that work hard stop neither each other nor a client that reads', async () => {
  const file = temporaryFile()
  const backend = sqliteBackend({ file })
  await backend.jobs.get('any')
  const reader = startProcess('read-plainly.ts', [file])
  expect(await reader.line()).toBe('reading')
  const workers = ['red', 'green', 'blue'].map((name) => startProcess('work-hard.ts', [file, name]))
  const reports = (await Promise.all(workers.map((worker) => worker.line()))).map(
    (line) => JSON.parse(line) as { ended: number; faults: string[]; turns: number; longestBlock: number },
  )
  reader.child.stdin?.end()
  const seen = JSON.parse(await reader.line())
  for (const { ended, faults, turns, longestBlock } of reports) {
    expect(faults).toEqual([])
    expect(ended).toBeGreaterThan(0)
    expect(longestBlock).toBeLessThan(200)
    // An idle machine counts about 500 turns in the two seconds. If the event loop waited for the lock, there would be fewer than ten.
    expect(turns).toBeGreaterThan(40)
  }
  expect(seen).toMatchObject({ unsound: 0, faults: [] })
  expect(seen.jobs).toBeGreaterThan(0)
  await backend.close()
})
