import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { createGenerationService } from '@genmount/core'
import { sqliteBackend } from '@genmount/backend-sqlite'
import { exampleJob, fakeProvider, quietLog } from '@genmount/testing'
import { startProcess } from './started-process.ts'
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

test('a database of a newer release is refused and left as it is', async () => {
  const file = temporaryFile()
  const database = new DatabaseSync(file)
  database.exec('CREATE TABLE jobs (id TEXT); PRAGMA user_version = 99')
  database.close()
  const before = readFileSync(file)
  expect(await faultOf(file)).toBe(
    `The job database ${file} can't be used: its schema has version 99, and this release knows 8; use the release that wrote it, or a newer one.`,
  )
  expect(readFileSync(file)).toEqual(before)
})

test('a file that is no database is refused and left as it is', async () => {
  const file = temporaryFile()
  writeFileSync(file, 'These are not the jobs you are looking for. '.repeat(200))
  const before = readFileSync(file)
  expect(await faultOf(file)).toBe(
    `The job database ${file} can't be used: it is not a SQLite database; give the path of another file, or move this one away.`,
  )
  expect(readFileSync(file)).toEqual(before)
})

test('a database whose pages are damaged fails the calls that need them, and says so', async () => {
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
  'of a file that %s no new job is acknowledged, and a service says store_unavailable',
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

test('a folder that is missing is named, and once it is there the same backend works', async () => {
  const file = join(dirname(temporaryFile()), 'later', 'jobs.db')
  const { jobs, close } = sqliteBackend({ file })
  await expect(jobs.get('job-1')).rejects.toThrow(
    `The job database ${file} can't be used: the folder ${dirname(file)} does not exist; create it.`,
  )
  mkdirSync(dirname(file))
  expect(await jobs.insert(exampleJob())).toEqual({ outcome: 'inserted' })
  await close()
})

test('a folder that is missing below the working directory is named with that one', async () => {
  expect(await faultOf('no-such-folder/jobs.db')).toBe(
    `The job database no-such-folder/jobs.db can't be used: the folder no-such-folder does not exist; create it (the working directory is ${process.cwd()}).`,
  )
})

test.each(['deno', 'bun'] as const)('a folder that is missing is named on %s, too', async (runtime) => {
  const file = join(dirname(temporaryFile()), 'later', 'jobs.db')
  expect(await startProcess('use-once.ts', [file], { runtime }).line()).toContain(
    `the folder ${dirname(file)} does not exist; create it`,
  )
})

test('a folder in the place of the file is a clear error, and so is a file in the place of the folder', async () => {
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

test('a folder that may only be read is a clear error', async () => {
  const file = temporaryFile()
  chmodSync(dirname(file), 0o555)
  expect(await startProcess('use-once.ts', [file, 'as-nobody']).line()).toBe(
    `The job database ${file} can't be used: this process may not write to the folder ${dirname(file)}; give its user the right, or give another path.`,
  )
})

test('a database file that may only be read is a clear error, not a later surprise', async () => {
  const file = temporaryFile()
  expect(await faultOf(file)).toBe('undefined')
  chmodSync(file, 0o444)
  chmodSync(dirname(file), 0o777)
  expect(await startProcess('use-once.ts', [file, 'as-nobody']).line()).toBe(
    `The job database ${file} can't be used: this process may not write to it; give its user the right, or give another path.`,
  )
})

test('when the disk takes no more, each job is either acknowledged and kept or refused and not there', async () => {
  const file = temporaryFile()
  const within = ['sh', '-c', 'ulimit -f 4096 && exec "$0" "$@"']
  const { acknowledged, refused, faults, isReadable } = JSON.parse(
    await startProcess('insert-until-refused.ts', [file], { within }).line(),
  )
  expect(acknowledged.length).toBeGreaterThan(20)
  expect(faults).not.toEqual([])
  expect(isReadable).toBe(true)

  const { jobs, close } = sqliteBackend({ file })
  for (const id of acknowledged) expect(await jobs.get(id), id).toMatchObject({ id })
  for (const id of refused) expect(await jobs.get(id), id).toBeUndefined()
  await close()
})
