import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect } from 'vitest'
import { outputOf } from '../processes/run-program.ts'
import type { Runtime } from '../processes/runtimes.ts'
import { programPath } from '../suite/system-needs.ts'
import { startScript } from './start-script.ts'
import { temporaryFile } from './temporary-file.ts'

/**
 * Creates jobs, 500 a second, on a disk that takes 50 ms for each sync. Checks that all creates are stored, and that no
 * sync is on the thread of the event loop.
 * @returns the p99.9 of how long a turn of the event loop took, in milliseconds, and whether others used the CPUs
 */
export async function createsOnSlowDisk(runtime: Runtime, jobCount: number) {
  const file = temporaryFile()
  const library = join(dirname(file), 'slow-disk.so')
  const source = join(import.meta.dirname, 'slow-disk.c')
  await outputOf([programPath('cc'), '-shared', '-fPIC', '-o', library, source])
  const syncLog = join(dirname(file), 'syncs')
  const within = ['env', `LD_PRELOAD=${library}`, `SYNC_LOG=${syncLog}`]
  const creating = startScript('create-steadily.ts', [file, String(jobCount)], { runtime, within })
  const report = JSON.parse(await creating.line()) as Record<string, number>
  const { answered = 0, refused = 0, p999 = 0, waitedPart = 0 } = report
  expect({ answered, refused }).toEqual({ answered: jobCount, refused: 0 })

  const threads = readFileSync(syncLog, 'utf8').trim().split('\n')
  expect(threads.filter((thread) => thread === 'main')).toEqual([])
  expect(threads.length).toBeGreaterThan(jobCount / 150)

  const database = new DatabaseSync(file)
  const { jobs } = database.prepare('SELECT count(*) AS jobs FROM jobs').get() as { jobs: number }
  // One more was created before.
  expect(jobs).toBe(jobCount + 1)
  database.close()
  expect(existsSync(`${file}-wal`)).toBe(false)
  return { p999, isBusy: waitedPart >= 0.2 }
}
