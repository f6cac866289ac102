import { once } from 'node:events'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { sqliteBackend } from '@genmount/backend-sqlite'
import { exampleJob } from '@genmount/testing'
import { killProcess, startProcess } from './started-process.ts'
import { temporaryFile } from './temporary-file.ts'

test('after kill -9 in the middle of a write, again and again, every acknowledged job is there', async () => {
  const file = temporaryFile()
  const acknowledged: string[] = []
  for (let round = 0; round < 6; round++) {
    const writer = startProcess('insert-until-killed.ts', [file, `round-${round}`])
    for (let count = 0; count < 40 + round; count++) acknowledged.push(await writer.line())
    await killProcess(writer)
    for await (const id of writer.lines) acknowledged.push(id)
  }

  const { jobs, close } = sqliteBackend({ file })
  for (const id of acknowledged) expect(await jobs.get(id)).toEqual(exampleJob({ id }))
  expect(acknowledged.length).toBeGreaterThanOrEqual(240)
  await close()
  const database = new DatabaseSync(file)
  expect(database.prepare('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' })
  database.close()
})

test('closing finishes the writes that came before it, and reopening finds them', async () => {
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

test('a database that nobody closes does not keep its process alive', async () => {
  const { child, line } = startProcess('use-once.ts', [temporaryFile()])
  const exit = once(child, 'exit')
  expect(await line()).toBe('undefined')
  expect(await exit).toEqual([0, null])
})
