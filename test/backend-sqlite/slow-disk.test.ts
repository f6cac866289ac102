import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { startProcess } from './started-process.ts'
import { temporaryFile } from './temporary-file.ts'

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
    expect(report).toMatchObject({ answered: 1_500, refused: 0 })

    const waited = readFileSync(syncLog, 'utf8').trim().split('\n')
    expect(waited.filter((who) => who === 'main')).toEqual([])
    expect(waited.length).toBeGreaterThan(10)
    // Deno counts in steps of 10 ms, and the time of all its threads.
    if (runtime === 'node') expect(report['p999']).toBeLessThan(20)

    const database = new DatabaseSync(file)
    expect(database.prepare('SELECT count(*) AS jobs FROM jobs').get()).toEqual({ jobs: 1_501 })
    database.close()
    expect(existsSync(`${file}-wal`)).toBe(false)
  },
)
