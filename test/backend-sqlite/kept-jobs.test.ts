import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { sqliteBackend } from '@genmount/backend-sqlite'
import { exampleJob } from '@genmount/testing'
import { startTask } from './start-script.ts'
import { temporaryFile } from './temporary-file.ts'

test('after each of six kill -9 during writes, every acknowledged job is in the SQLite file', async () => {
  const file = temporaryFile()
  const acknowledged: string[] = []
  for (let round = 0; round < 6; round++) {
    const writer = startTask('insert for ever', [file, `round-${round}`])
    for (let count = 0; count < 40 + round; count++) await writer.line()
    await writer.kill()
    acknowledged.push(...writer.output.trim().split('\n'))
  }

  const { jobs, close } = sqliteBackend({ file })
  for (const id of acknowledged) expect(await jobs.get(id)).toEqual(exampleJob({ id }))
  expect(acknowledged.length).toBeGreaterThanOrEqual(240)
  await close()
  const database = new DatabaseSync(file)
  expect(database.prepare('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' })
  database.close()
})

test('close finishes the inserts that were called before, and they are there when the file is opened again', async () => {
  const file = temporaryFile()
  const backend = sqliteBackend({ file })
  const ids = Array.from({ length: 50 }, (_, index) => `job-${index}`)
  const inserts = ids.map((id) => backend.jobs.insert(exampleJob({ id })))
  const closed = [backend.close(), backend.close()]
  expect(await Promise.all(inserts)).toEqual(ids.map(() => ({ outcome: 'inserted' })))
  await Promise.all(closed)
  await expect(backend.jobs.get('job-0')).rejects.toThrow('has been closed')

  const reopened = sqliteBackend({ file })
  expect((await reopened.jobs.due(exampleJob().createdAt, 100)).toSorted()).toEqual(ids.toSorted())
  await reopened.close()
})

test('a sqliteBackend that is not closed does not keep its process alive', async () => {
  const { line, ended } = startTask('use once', [temporaryFile()])
  expect(await line()).toBe('undefined')
  expect(await ended).toBe(0)
})
