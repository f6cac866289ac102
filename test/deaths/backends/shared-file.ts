import { readdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import { sqliteBackend } from '@genmount/backend-sqlite'
import { temporaryFile } from '../../backend-sqlite/temporary-file.ts'
import type { Runtime } from '../../processes/runtimes.ts'
import { startProcess } from '../../processes/start-process.ts'
import { claimAndStay } from './claimant.ts'

/** A backend on a new file, which other processes can share. */
export function sharedFile() {
  const file = temporaryFile()
  const backend = sqliteBackend({ file })
  onTestFinished(backend.close)
  const { processes } = backend
  if (!processes) throw new Error('The backend tells of no processes.')
  return {
    file,
    backend,
    processes,
    /** The names of the files whose locks show which processes are alive. */
    locks: () => readdirSync(dirname(file)).filter((name) => name.includes('-process-')),
    /** Starts another process, which claims the jobs and goes on running. */
    async claimant(ids: readonly string[], runtime?: Runtime) {
      const process = startProcess(claimAndStay([file], ids, runtime))
      return { process, id: await process.line() }
    },
  }
}

/** Starts processes at once, kills every third of them, and checks that exactly these have ended. */
export async function checkWhichHaveEnded(count: number): Promise<void> {
  const { processes, claimant, locks } = sharedFile()
  const names = Array.from({ length: count }, (_, index) => `job-${index}`)
  const areAllThere = new AbortController()
  const looking = (async () => {
    while (!areAllThere.signal.aborted) expect(await processes.leftBehind(100)).toEqual([])
  })()
  // Each process looks for jobs of ended processes as soon as it has started, while the other processes take their locks.
  const all = await Promise.all(
    names.map(async (name) => {
      const started = await claimant([name])
      expect(await started.process.ask('look')).toBe('[]')
      return started
    }),
  )
  areAllThere.abort()
  await looking
  expect(locks().length).toBeGreaterThanOrEqual(count)

  const killed = all.filter((_, index) => index % 3 === 0)
  await Promise.all(killed.map((one) => one.process.kill()))
  const verdicts = await Promise.all(all.map(({ id }) => processes.hasEnded(id)))
  expect(verdicts).toEqual(all.map((one) => killed.includes(one)))
  const expected = names.filter((_, index) => index % 3 === 0)
  expect((await processes.leftBehind(100)).toSorted()).toEqual(expected.toSorted())
}
