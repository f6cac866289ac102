import { DatabaseSync } from 'node:sqlite'
import { expect } from 'vitest'
import { startTask } from './start-script.ts'
import { temporaryFile } from './temporary-file.ts'

/** Checks that three processes that make one file at once agree on who holds a key and whose write counts. */
export async function raceForOneFile(): Promise<void> {
  const file = temporaryFile()
  const racers = ['red', 'green', 'blue'].map((name) => startTask('race', [file, name]))
  const outcomesOf = async () => {
    const lines = await Promise.all(racers.map((racer) => racer.ask('go')))
    return lines.flatMap((line) => JSON.parse(line) as string[])
  }
  expect(await Promise.all(racers.map((racer) => racer.line()))).toEqual(['ready', 'ready', 'ready'])

  const inserts = await outcomesOf()
  expect(inserts.filter((outcome) => outcome === 'inserted')).toHaveLength(1)
  expect(inserts.filter((outcome) => outcome === 'duplicate')).toHaveLength(74)

  const writes = await outcomesOf()
  expect(writes.filter((outcome) => outcome === 'replaced')).toHaveLength(1)
  expect(writes.filter((outcome) => outcome === 'stale')).toHaveLength(74)

  expect(await Promise.all(racers.map(({ ended }) => ended))).toEqual([0, 0, 0])
  const database = new DatabaseSync(file)
  expect(database.prepare('SELECT count(*) AS jobs, max(revision) AS revision FROM jobs').get()).toEqual({
    jobs: 1,
    revision: 2,
  })
  expect(database.prepare('PRAGMA user_version').get()).toEqual({ user_version: 12 })
  database.close()
}
