import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { createGenerationService } from '@genmount/core'
import { sqliteBackend } from '@genmount/backend-sqlite'
import { exampleJob, fakeProvider, quietLog } from '@genmount/testing'
import { startTask } from './start-script.ts'
import { temporaryFile } from './temporary-file.ts'

async function faultOf(file: string): Promise<string> {
  const { jobs, ready, close } = sqliteBackend({ file })
  const fault = await jobs.get('job-1').then(String, (error: Error) => error.message)
  // If a service checks whether its backend is ready, it gets the same error.
  if (fault.startsWith('The job database'))
    expect(await ready?.().then(String, (error: Error) => error.message)).toBe(fault)
  await close()
  return fault
}

test('a SQLite file of a newer release is refused and not changed', async () => {
  const file = temporaryFile()
  const database = new DatabaseSync(file)
  database.exec('CREATE TABLE jobs (id TEXT); PRAGMA user_version = 99')
  database.close()
  const before = readFileSync(file)
  expect(await faultOf(file)).toBe(
    `The job database ${file} can't be used: its schema has version 99, and this release knows 12; use the release that wrote it, or a newer one.`,
  )
  expect(readFileSync(file)).toEqual(before)
})

test('a file that is not a SQLite database is refused and not changed', async () => {
  const file = temporaryFile()
  writeFileSync(file, 'These are not the jobs you are looking for. '.repeat(200))
  const before = readFileSync(file)
  expect(await faultOf(file)).toBe(
    `The job database ${file} can't be used: it is not a SQLite database; give the path of another file, or move this one away.`,
  )
  expect(readFileSync(file)).toEqual(before)
})

test('a read of a SQLite file with damaged pages fails with the word malformed', async () => {
  const file = temporaryFile()
  const { jobs, close } = sqliteBackend({ file })
  for (let index = 0; index < 100; index++) await jobs.insert(exampleJob({ id: `job-${index}` }))
  await close()
  const bytes = readFileSync(file)
  const pageSize = bytes.readUInt16BE(16)
  writeFileSync(file, bytes.fill(0xa5, pageSize))
  expect(await faultOf(file)).toContain('malformed')
})

test.each([
  ['is damaged', (bytes: Buffer) => bytes.fill(0xa5, bytes.readUInt16BE(16))],
  ['is cut off', (bytes: Buffer) => bytes.subarray(0, bytes.readUInt16BE(16) * 2)],
])(
  'when the SQLite file %s, creates and reads fail with store_unavailable and nothing is spent',
  async (_what, spoil) => {
    const file = temporaryFile()
    const { jobs, close } = sqliteBackend({ file })
    for (let index = 0; index < 100; index++) await jobs.insert(exampleJob({ id: `job-${index}` }))
    await close()
    writeFileSync(file, spoil(readFileSync(file)))

    const provider = fakeProvider()
    const service = createGenerationService({
      providers: [provider],
      backend: sqliteBackend({ file }),
      log: quietLog(),
    })
    const request = { owner: 'alice', model: 'fake-image', input: { prompt: 'a fox' } }
    await expect(service.create(request)).rejects.toMatchObject({ code: 'store_unavailable' })
    await expect(service.get('job-1', 'alice')).rejects.toMatchObject({ code: 'store_unavailable' })
    expect(provider.ledger).toEqual([])
    await service.close()
  },
)

test('the error names the missing folder of the SQLite file, and once the folder is there the backend works', async () => {
  const file = join(dirname(temporaryFile()), 'later', 'jobs.db')
  const { jobs, close } = sqliteBackend({ file })
  await expect(jobs.get('job-1')).rejects.toThrow(
    `The job database ${file} can't be used: the folder ${dirname(file)} does not exist; create it.`,
  )
  mkdirSync(dirname(file))
  expect(await jobs.insert(exampleJob())).toEqual({ outcome: 'inserted' })
  await close()
})

test('the error for a missing folder with a relative path also names the working directory', async () => {
  expect(await faultOf('no-such-folder/jobs.db')).toBe(
    `The job database no-such-folder/jobs.db can't be used: the folder no-such-folder does not exist; create it (the working directory is ${process.cwd()}).`,
  )
})

test.each(['deno', 'bun'] as const)(
  'the error names the missing folder of the SQLite file on %s',
  async (runtime) => {
    const file = join(dirname(temporaryFile()), 'later', 'jobs.db')
    expect(await startTask('use once', [file], { runtime }).line()).toContain(
      `the folder ${dirname(file)} does not exist; create it`,
    )
  },
)

test('the error says when the path of the SQLite file is a folder, or when its folder is a file', async () => {
  const folder = dirname(temporaryFile())
  expect(await faultOf(folder)).toBe(
    `The job database ${folder} can't be used: it is a folder; give the path of a file, such as ${join(folder, 'jobs.db')}.`,
  )
  const place = join(folder, 'place')
  writeFileSync(place, '')
  for (const file of [join(place, 'jobs.db'), join(place, 'deeper', 'jobs.db')])
    expect(await faultOf(file)).toBe(
      `The job database ${file} can't be used: ${dirname(file)} is not a folder; give another path.`,
    )
})

test('the error says when the process may not write to the folder of the SQLite file', async () => {
  const file = temporaryFile()
  chmodSync(dirname(file), 0o555)
  expect(await startTask('use once', [file, 'as-nobody']).line()).toBe(
    `The job database ${file} can't be used: this process may not write to the folder ${dirname(file)}; give its user the right, or give another path.`,
  )
})

test('the error says when the process may not write to the SQLite file, before the first write', async () => {
  const file = temporaryFile()
  expect(await faultOf(file)).toBe('undefined')
  chmodSync(file, 0o444)
  chmodSync(dirname(file), 0o777)
  expect(await startTask('use once', [file, 'as-nobody']).line()).toBe(
    `The job database ${file} can't be used: this process may not write to it; give its user the right, or give another path.`,
  )
})

test('when the disk is full, each insert is either acknowledged and kept, or refused and not stored', async () => {
  const file = temporaryFile()
  const within = ['sh', '-c', 'ulimit -f 4096 && exec "$0" "$@"']
  const { acknowledged, refused, isReadable } = JSON.parse(
    await startTask('insert until refused', [file], { within }).line(),
  )
  expect(acknowledged.length).toBeGreaterThan(20)
  expect(refused).toHaveLength(10)
  expect(isReadable).toBe(true)

  const { jobs, close } = sqliteBackend({ file })
  for (const id of acknowledged) expect(await jobs.get(id), id).toMatchObject({ id })
  for (const id of refused) expect(await jobs.get(id), id).toBeUndefined()
  await close()
})
