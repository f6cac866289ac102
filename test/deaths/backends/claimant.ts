import { readdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import type { Backend, Job } from '@genmount/core'
import type { Command } from '../../processes/launch.ts'
import type { Runtime } from '../../processes/runtimes.ts'
import { startProcess } from '../../processes/start-process.ts'
import { scriptCommand } from '../../processes/start-server.ts'

/** Where the jobs are: a SQLite file, or a schema of the Postgres database at this URL. */
export type Place = readonly [file: string] | readonly [url: string, schema: string]

/** The command of a process that claims jobs with these ids, prints the id that the backend gives it, and goes on running. */
export function claimAndStay(
  [place, schema = '']: Place,
  ids: readonly string[],
  runtime: Runtime = 'node',
): Command {
  const script = new URL('processes/claim-and-stay.ts', import.meta.url)
  return scriptCommand(runtime, script, place, schema, ...ids)
}

/**
 * Starts such a process on a SQLite file. It ends with the test.
 * @param onFinished that of the context, in `test.concurrent`
 */
export async function claimantOf(
  file: string,
  ids: readonly string[],
  runtime?: Runtime,
  onFinished = onTestFinished,
) {
  const process = startProcess(claimAndStay([file], ids, runtime), {}, onFinished)
  return { process, id: await process.line() }
}

/** The names of the files beside a SQLite file whose locks show which processes are alive. */
export function locksOf(file: string): string[] {
  return readdirSync(dirname(file)).filter((name) => name.includes('-process-'))
}

/** Gives up the claim of the job, as the service does at the end of a step. */
export async function release({ jobs }: Backend, id: string): Promise<void> {
  const { claim: _, ...job } = (await jobs.get(id)) as Job
  expect(await jobs.replace({ ...job, revision: job.revision + 1 }, job.revision)).toBe('replaced')
}
