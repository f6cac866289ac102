// @module-tag needs/cc
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { startProcess } from './started-process.ts'
import { temporaryFile } from './temporary-file.ts'

/** How long a turn of the event loop may take at p99.9, in milliseconds. While others use the CPUs, every turn does more. */
const longestTurnMs = { idle: 20, busy: 200 }
/** How many creates Deno may refuse because they are late, on a machine that others keep busy: 396 were seen. */
const refusedByBusyDeno = 500

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
    const isBusy = waitedPart >= 0.2
    expect(answered + refused).toBe(1_500)
    expect(refused).toBeLessThanOrEqual(isBusy && runtime === 'deno' ? refusedByBusyDeno : 0)

    const waited = readFileSync(syncLog, 'utf8').trim().split('\n')
    expect(waited.filter((who) => who === 'main')).toEqual([])
    expect(waited.length).toBeGreaterThan(10)
    // Deno counts in steps of 10 ms, and the time of all its threads.
    if (runtime === 'node') expect(p999).toBeLessThan(isBusy ? longestTurnMs.busy : longestTurnMs.idle)

    const database = new DatabaseSync(file)
    const { jobs } = database.prepare('SELECT count(*) AS jobs FROM jobs').get() as { jobs: number }
    // A create that is refused because it is late may be stored nevertheless, until it is withdrawn.
    expect(jobs).toBeGreaterThanOrEqual(answered + 1)
    expect(jobs).toBeLessThanOrEqual(1_501)
    database.close()
    expect(existsSync(`${file}-wal`)).toBe(false)
  },
)
