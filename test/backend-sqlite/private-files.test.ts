import { chmodSync, writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { startProcess } from './started-process.ts'
import { temporaryFile } from './temporary-file.ts'

/** The umask of the process, which decides about the rights of new files unless the backend sets them. */
const umasks = { 'that takes nothing away': '000', 'that lets the group write': '002' }

describe.each(['node', 'deno', 'bun'] as const)('on %s', (runtime) => {
  const rightsIn = async (file: string, umask: string) => {
    const within = ['sh', '-c', `umask ${umask}; exec "$@"`, 'sh']
    return JSON.parse(await startProcess('print-rights.ts', [file], { runtime, within }).line())
  }

  test.each(Object.entries(umasks))(
    'the database, its log, its index and the lock can be read by the user alone, with a umask %s',
    async (_what, umask) => {
      expect(await rightsIn(temporaryFile(), umask)).toEqual({
        'jobs.db': '600',
        'jobs.db-shm': '600',
        'jobs.db-wal': '600',
        process: '600',
      })
    },
  )

  test('a file that is there keeps the rights that it was given, and the files beside it get the same', async () => {
    const file = temporaryFile()
    writeFileSync(file, '')
    chmodSync(file, 0o660)
    expect(await rightsIn(file, '077')).toEqual({
      'jobs.db': '660',
      'jobs.db-shm': '660',
      'jobs.db-wal': '660',
      process: '660',
    })
  })
})
