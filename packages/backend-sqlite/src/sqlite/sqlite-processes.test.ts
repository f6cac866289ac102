import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { systemClock } from '@genmount/core'
import { exampleJob } from '@genmount/testing'
import { jobDatabase } from './job-database.ts'
import { lockFileOf } from './process-lock.ts'
import { makePrivateFile } from './private-file.ts'
import { sqliteBackend } from './sqlite-backend.ts'
import { sqliteProcesses } from './sqlite-processes.ts'

test('a process that takes its lock and claims a job while another process looks for ended processes is not one of them', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'processes-'))
  onTestFinished(() => rmSync(directory, { recursive: true }))
  const file = join(directory, 'jobs.db')
  const starting = sqliteBackend({ file })
  onTestFinished(starting.close)
  const database = jobDatabase(file, 'looking')
  onTestFinished(database.close)
  const startingId = starting.processes?.id ?? ''
  async function claimJob() {
    const now = Date.now()
    const job = exampleJob({ id: 'a', createdAt: now })
    await starting.jobs.insert({ ...job, claim: { until: now + 30_000, token: `${startingId}:x` } })
  }
  const processes = sqliteProcesses(
    file,
    'looking',
    {
      ...database,
      async glance(ask) {
        await claimJob()
        return database.glance(ask)
      },
    },
    systemClock(),
  )
  await database.glance(() => [])
  // The lock file exists before the starting process has locked it.
  makePrivateFile(lockFileOf(file, startingId), 0o600)

  expect(await processes.leftBehind(10)).toEqual([])
})
