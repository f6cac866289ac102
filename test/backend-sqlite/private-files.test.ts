import { chmodSync, writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { startTask } from './start-script.ts'
import { temporaryFile } from './temporary-file.ts'

/** The umask of the process, which decides about the rights of new files unless the backend sets them. */
const umasks = { 'that takes nothing away': '000', 'that lets the group write': '002' }

describe.each(['node', 'deno', 'bun'] as const)('on %s', (runtime) => {
  const rightsIn = async (file: string, umask: string) => {
    const within = ['sh', '-c', `umask ${umask}; exec "$@"`, 'sh']
    return JSON.parse(await startTask('print rights', [file], { runtime, within }).line())
  }

  test.each(Object.entries(umasks))(
    'only the user can read the SQLite file, its log, its index and the lock, with a umask %s',
    async (_what, umask) => {
      expect(await rightsIn(temporaryFile(), umask)).toEqual({
        'jobs.db': '600',
        'jobs.db-shm': '600',
        'jobs.db-wal': '600',
        process: '600',
      })
    },
  )

  test('a SQLite file that is there keeps its rights, and the files beside it get the same rights', async () => {
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
