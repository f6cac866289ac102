import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { setTimeout } from 'node:timers/promises'
import { sqliteBackend } from '@genmount/backend-sqlite'
import { createGenerationService, type JobStore } from '@genmount/core'
import { diskFiles } from '@genmount/files-disk'
import { vendorCases } from '../hosted-vendors.ts'
import { fetchAt } from '../vendor-server.ts'

/*
 * A program that kills itself: a service with its jobs and files in FOLDER, in front of the fake of VENDOR at ORIGIN. It makes
 * one job of three outputs, unless FOLDER has one, and kills itself at the moment number KILL_AT: each write of the job,
 * each request to the vendor and each stored file has a moment before and one after. It prints the job when that has ended.
 */

const { FOLDER = '', VENDOR = '', ORIGIN = '', KILL_AT = '0' } = process.env
const { provider, model, input, hosts = [] } = vendorCases[VENDOR]!
const vendorFetch = fetchAt(ORIGIN, hosts)
let moments = 0

function moment(): void {
  if (++moments === Number(KILL_AT)) process.kill(process.pid, 'SIGKILL')
}

/** Makes a call with a moment before and one after. */
async function between<Result>(call: () => Promise<Result>): Promise<Result> {
  moment()
  const result = await call()
  moment()
  return result
}

const backend = sqliteBackend({ file: join(FOLDER, 'jobs.db') })
const replace: JobStore['replace'] = (...write) => between(() => backend.jobs.replace(...write))
const stored = diskFiles({
  folder: join(FOLDER, 'files'),
  fetch: async () => ({ body: new Blob(['\0\0\0\x1cftypisom, a film']).stream() }),
})
const service = createGenerationService({
  providers: [
    provider({
      origin: ORIGIN,
      fetch: (...request) => between(() => vendorFetch(...request)),
      typicalMs: 1,
    }),
  ],
  backend: { ...backend, jobs: { ...backend.jobs, replace } },
  files: { ...stored, put: (...file) => between(() => stored.put(...file)) },
})
const idFile = join(FOLDER, 'id')
if (!existsSync(idFile)) {
  const { job } = await service.create({ owner: 'alice', model, input: { ...input, num_outputs: 3 } })
  writeFileSync(idFile, job.id)
}
service.start()
const id = readFileSync(idFile, 'utf8')
for (; ; await setTimeout(20)) {
  const job = await backend.jobs.get(id)
  if (job?.phase !== 'completed' && job?.phase !== 'failed') continue
  const { phase, error, outputs, costUsd, isCostKnown = false } = job
  console.log(
    JSON.stringify({ phase, code: error?.code, outputs: outputs.length, costUsd, isCostKnown, moments }),
  )
  break
}
await service.close()
process.exit(0)
