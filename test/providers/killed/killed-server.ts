import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { sqliteBackend } from '@genmount/backend-sqlite'
import { createGenerationService, type FileStore, routeModel } from '@genmount/core'
import { diskFiles } from '@genmount/files-disk'
import { killedProviders } from './killed-providers.ts'

/*
 * A program that a test kills: a service with its jobs and files in FOLDER, in front of the fakes of VENDORS, a JSON
 * list of names, origins and tokens. It creates a job for each vendor unless JOBS names them, a JSON object of ids by
 * vendor. It prints each job's id and phases, and runs until it is killed. With HOLD_FILES it says `storing` when an
 * output of a job is to be stored, and stores none.
 */

interface Vendor {
  readonly name: string
  readonly origin: string
  readonly token: string
}

const { FOLDER = '', VENDORS = '[]', JOBS = '{}', HOLD_FILES } = process.env
const vendors = JSON.parse(VENDORS) as readonly Vendor[]
const jobs = JSON.parse(JOBS) as Record<string, string>
const vendorOf = new Map(Object.entries(jobs).map(([name, id]) => [id, name]))

const stored = diskFiles({
  folder: join(FOLDER, 'files'),
  // The links of the fakes lead nowhere.
  fetch: async () => ({ body: new Blob(['a film']).stream() }),
})
const never = new Promise<never>(() => {})
const held: FileStore = {
  ...stored,
  put(key) {
    const [, id = ''] = /(gen_\w+)/.exec(key) ?? []
    console.log(`${vendorOf.get(id) ?? key} storing`)
    return never
  },
}

const backend = sqliteBackend({ file: join(FOLDER, 'jobs.db') })
const service = createGenerationService({
  providers: vendors.map(({ name, origin, token }) => {
    const provider = killedProviders[name]!(origin, token)
    return routeModel({ id: name, routes: [{ provider, model: 'made' }] })
  }),
  backend,
  files: HOLD_FILES ? held : stored,
})
for (const { name } of vendors) {
  if (jobs[name] !== undefined) continue
  const { job } = await service.create({ owner: 'alice', model: name, input: { prompt: 'a fox' } })
  jobs[name] = job.id
  vendorOf.set(job.id, name)
  console.log(`${name} job ${job.id}`)
}
service.start()

const told = new Map<string, string>()
for (; ; await setTimeout(20)) {
  for (const [name, id] of Object.entries(jobs)) {
    const job = await backend.jobs.get(id)
    const isStored = job?.outputs.length && job.outputs.every(({ fileKey }) => fileKey !== undefined)
    const phase = job?.error?.code ?? (job?.phase === 'completed' && isStored ? 'stored' : job?.phase)
    if (told.get(name) !== phase) console.log(`${name} ${phase}`)
    told.set(name, String(phase))
  }
}
