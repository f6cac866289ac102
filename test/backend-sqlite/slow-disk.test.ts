import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { startProcess } from './started-process.ts'
import { temporaryFile } from './temporary-file.ts'

/**
 * What the machine does to the promise: on one that other processes keep busy, creates pile up until the event loop gets a
 * CPU, are then many at a time, and may be refused because they are late.
 */
const limits = {
  idle: { refused: 0, p999: 20 },
  busy: { refused: 1_000, p999: 200 },
}

test.each(['node', 'deno', 'bun'] as const)(
  'on %s the event loop never waits for a disk that takes 50 ms for each sync, while 500 creates a second are stored',
  async (runtime) => {
    const file = temporaryFile()
    const library = join(dirname(file), 'slow-disk.so')
    execFileSync('cc', ['-shared', '-fPIC', '-o', library, join(import.meta.dirname, 'slow-disk.c')])
    const syncLog = join(dirname(file), 'syncs')
    const within = ['env', `LD_PRELOAD=${library}`, `SYNC_LOG=${syncLog}`]
    const report = JSON.parse(
      await startProcess('create-steadily.ts', [file], { runtime, within }).line(),
    ) as Record<string, number>
    const { answered = 0, refused = 0, p999, waitedPart = 0 } = report
    const limit = waitedPart < 0.2 ? limits.idle : limits.busy
    expect(answered + refused).toBe(1_500)
    expect(refused).toBeLessThanOrEqual(limit.refused)

    const waited = readFileSync(syncLog, 'utf8').trim().split('\n')
    expect(waited.filter((who) => who === 'main')).toEqual([])
    expect(waited.length).toBeGreaterThan(10)
    // Deno counts in steps of 10 ms, and the time of all its threads.
    if (runtime === 'node') expect(p999).toBeLessThan(limit.p999)

    const database = new DatabaseSync(file)
    const { jobs } = database.prepare('SELECT count(*) AS jobs FROM jobs').get() as { jobs: number }
    // A create that is refused because it is late may be stored nevertheless, until it is withdrawn.
    expect(jobs).toBeGreaterThanOrEqual(answered + 1)
    expect(jobs).toBeLessThanOrEqual(1_501)
    database.close()
    expect(existsSync(`${file}-wal`)).toBe(false)
  },
)
