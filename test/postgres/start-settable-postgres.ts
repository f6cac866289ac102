import { chmodSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { outputOf } from '../processes/run-program.ts'
import { programPath } from '../suite/system-needs.ts'
import { startPostgres } from './start-postgres.ts'

/** A Postgres server whose clock can be set. */
export type SettablePostgres = Awaited<ReturnType<typeof startSettablePostgres>>

/**
 * Starts a Postgres server whose clock a test can set, by Debian's faketime. A test file that calls this carries the tag
 * `needs/faketime`.
 */
export async function startSettablePostgres() {
  const folder = mkdtempSync(join(tmpdir(), 'genmount-faketime-'))
  chmodSync(folder, 0o755)
  const file = join(folder, 'offset')
  let setBy = 0
  /** @param aheadMs by how much the clock is ahead of the machine's from now on; below 0 it is behind */
  function setClock(aheadMs: number): void {
    setBy = aheadMs
    // Renamed into place, because the server reads the file whenever it reads its clock.
    writeFileSync(`${file}.new`, `${aheadMs < 0 ? '-' : '+'}${Math.abs(aheadMs) / 1000}\n`)
    renameSync(`${file}.new`, file)
  }
  setClock(0)
  const library = await outputOf([programPath('faketime'), '-f', '+0', 'printenv', 'LD_PRELOAD'])
  const server = await startPostgres([], {
    LD_PRELOAD: library.trim(),
    FAKETIME_TIMESTAMP_FILE: file,
    FAKETIME_NO_CACHE: '1',
    // A clock that is set is the time of day. Timers and the uptime go on.
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
    DONT_FAKE_MONOTONIC: '1',
  })
  return {
    ...server,
    setClock,
    /** The time that the server shows, in milliseconds since the Unix epoch. */
    now: () => Date.now() + setBy,
    async stop() {
      await server.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
