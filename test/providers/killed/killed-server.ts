import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { sqliteBackend } from '@genmount/backend-sqlite'
import { createGenerationService, type FileStore, routeModel } from '@genmount/core'
import { diskFiles } from '@genmount/files-disk'
import { fetchAt } from '../vendor-server.ts'
import { vendorCases } from '../hosted-vendors.ts'

/*
 * A program that a test kills: a service with its jobs and files in FOLDER, in front of the fakes of TRIALS, a JSON list.
 * It creates a job for each trial that has none. It prints each job's id and
 * phases, and runs until it is killed. It says `storing` when an output is to be stored whose trial has `holdsFiles`, and
 * does not store it.
 */

/** One job at one fake of a vendor. */
export interface KilledTrial {
  readonly trial: string
  readonly vendor: string
  readonly origin: string
  readonly holdsFiles: boolean
  /** The id of its job. */
  readonly job?: string | undefined
}

const { FOLDER = '', TRIALS = '[]' } = process.env
const trials = JSON.parse(TRIALS) as readonly KilledTrial[]
const trialOf = new Map<string, KilledTrial>()

const stored = diskFiles({
  folder: join(FOLDER, 'files'),
  // The links of the fakes lead nowhere.
  fetch: async () => ({ body: new Blob(['\0\0\0\x1cftypisom, a film']).stream() }),
})
const files: FileStore = {
  ...stored,
  put(key, ...file) {
    const [, id = ''] = /(gen_\w+)/.exec(key) ?? []
    const { trial, holdsFiles } = trialOf.get(id) ?? {}
    if (!holdsFiles) return stored.put(key, ...file)
    console.log(`${trial} storing`)
    return new Promise(() => {})
  },
}

const backend = sqliteBackend({ file: join(FOLDER, 'jobs.db') })
const service = createGenerationService({
  providers: trials.map(({ trial, vendor, origin }) => {
    const { provider, model, finds, hosts = [] } = vendorCases[vendor]!
    // Replicate would be searched for a lost submit for a minute.
    const { find, ...made } = provider({ origin, fetch: fetchAt(origin, hosts), typicalMs: 1 })
    return routeModel({
      id: trial,
      routes: [{ provider: { ...made, ...(finds && find && { find }) }, model }],
    })
  }),
  backend,
  files,
})
for (const trial of trials) {
  const { input } = vendorCases[trial.vendor]!
  const create = async () =>
    (await service.create({ owner: 'alice', model: trial.trial, input: { ...input } })).job.id
  const id = trial.job ?? (await create())
  trialOf.set(id, trial)
  console.log(`${trial.trial} job ${id}`)
}
service.start()

const printed = new Map<string, string>()
for (; ; await setTimeout(100)) {
  for (const [id, { trial: name }] of trialOf) {
    const job = await backend.jobs.get(id)
    const isStored = job?.outputs.length && job.outputs.every(({ fileKey }) => fileKey !== undefined)
    const phase = job?.error?.code ?? (job?.phase === 'completed' && isStored ? 'stored' : job?.phase)
    if (printed.get(name) !== phase) console.log(`${name} ${phase}`)
    printed.set(name, String(phase))
  }
}
