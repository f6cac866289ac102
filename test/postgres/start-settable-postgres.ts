import { chmodSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { outputOf } from '../processes/run-program.ts'
import { programPath } from '../suite/system-needs.ts'
import { startPostgres } from './start-postgres.ts'

/** A Postgres server whose clock can be set. */
export type SettablePostgres = Awaited<ReturnType<typeof startSettablePostgres>>

/**
 * Starts a Postgres server whose clock a test can set, by Debian's faketime. A test file that calls this carries the tag
 * `needs/faketime`.
 * @param speed how many seconds the clock runs in one second of the system
 */
export async function startSettablePostgres({ speed = 1 } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'genmount-faketime-'))
  chmodSync(folder, 0o755)
  const file = join(folder, 'offset')
  let setBy = 0
  /** When the server started, by the clock of the system. */
  let startedAt = Date.now()
  /** @param aheadMs by how much the clock is ahead of the machine's from now on; below 0 it is behind */
  function setClock(aheadMs: number): void {
    setBy = aheadMs
    // Since the start of the server, faketime counts with the speed.
    const rate = speed === 1 ? '' : ` x${speed}`
    // Renamed into place, because the server reads the file whenever it reads its clock.
    writeFileSync(`${file}.new`, `${aheadMs < 0 ? '-' : '+'}${Math.abs(aheadMs) / 1000}${rate}\n`)
    renameSync(`${file}.new`, file)
  }
  setClock(0)
  const library = await outputOf([programPath('faketime'), '-f', '+0', 'printenv', 'LD_PRELOAD'])
  const server = await startPostgres(['fsync=off'], {
    LD_PRELOAD: library.trim(),
    FAKETIME_TIMESTAMP_FILE: file,
    FAKETIME_NO_CACHE: '1',
    // A clock that is set is the time of day. Timers and the uptime go on.
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
    DONT_FAKE_MONOTONIC: '1',
  })
  if (speed !== 1) startedAt = await startOf(server.url('postgres'), speed)
  return {
    ...server,
    setClock,
    /** Sets the clock so that it shows this instant now. */
    show: (at: number) => setClock(at - startedAt - speed * (Date.now() - startedAt)),
    /** The time that the server shows, in milliseconds since the Unix epoch. */
    now: () => Date.now() + setBy,
    async stop() {
      await server.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** When the server started from which the clock of faketime runs faster, by what the clock shows now. */
async function startOf(url: string, speed: number): Promise<number> {
  const client = new pg.Client(url)
  await client.connect()
  const askedAt = Date.now()
  const { rows } = await client.query('SELECT extract(epoch FROM clock_timestamp()) * 1000 AS now')
  const at = (askedAt + Date.now()) / 2
  await client.end()
  return (speed * at - Number(rows[0].now)) / (speed - 1)
}
