/**
 * A service with limits, as one of several processes has it. It carries out each line that it reads: `create owner delayMs
 * count model key` creates so many jobs at the same time, `grant owner usd` grants so much, `delete-job owner id` deletes a job, `upload owner bytes announced` stores
 * an upload whose length it announces or not, and `delete-upload owner id` deletes one. It prints the ids of the jobs or
 * uploads, or the codes with which they were refused, in one line. Each picture costs 0.40 US dollars, and each film 3.
 */
import { createInterface } from 'node:readline'
import { limits, type OwnerLimits } from '@genmount/core/limits'
import { uploads } from '@genmount/core/uploads'
import pg from 'pg'
import { postgresBackend } from '@genmount/backend-postgres'
import { sqliteBackend } from '@genmount/backend-sqlite'
import { createGenerationService, GenerationError, type Provider, type ProviderReport } from '@genmount/core'
import { diskFiles } from '@genmount/files-disk'
import { fakeFile, fakeProvider, quietLog } from '@genmount/testing'
import { patientClock } from '../../patient-clock.ts'

export interface LimitedSettings {
  readonly database: string
  /** The limits of each owner, by the owner's name. Others have none. */
  readonly limits: Readonly<Record<string, OwnerLimits>>
  /** The folder of the file store. */
  readonly folder: string
}

const settings = JSON.parse(process.argv[2] ?? '') as LimitedSettings
const { database, folder } = settings
const { name, models } = fakeProvider()
const priceOf = (model: string) => (model === 'fake-image' ? 0.4 : 3)

/** A vendor without memory, since each process polls the tasks of all: the handle of a task is the instant of its end. */
const provider: Provider = {
  name,
  models: models.map((model) => ({
    ...model,
    price: { text: 'fixed', per: 'output', usd: priceOf(model.id) },
  })),
  submit: async ({ input, model }) => taskUntil(Date.now() + Number(input['delay_ms']), model),
  poll: async ({ handle, model }) => taskUntil(Number(handle), model),
}

function taskUntil(endsAt: number, model: string): ProviderReport {
  if (Date.now() < endsAt) return { state: 'running', handle: endsAt }
  return { state: 'succeeded', outputs: [fakeFile('image')], costUsd: priceOf(model) }
}

const service = createGenerationService({
  providers: [provider],
  backend: database.startsWith('postgres:')
    ? postgresBackend({ pool: new pg.Pool({ connectionString: database }), schema: 'limited' })
    : sqliteBackend({ file: database }),
  plugins: [limits((owner) => settings.limits[owner] ?? {}), uploads()],
  maxRunningJobsPerOwner: 2000,
  files: diskFiles({ folder }),
  clock: patientClock(),
  log: quietLog(),
})
const { uploads: stored } = service
if (!stored) throw new Error('The service takes no uploads.')

type Action = (owner: string, ...more: string[]) => Promise<string>

const actions: Readonly<Record<string, Action>> = {
  async create(owner, delayMs, count, model, keyId) {
    const request = { owner, keyId, model: model!, input: { prompt: 'a fox', delay_ms: Number(delayMs) } }
    const create = () => service.create(request).then(({ job }) => job.id, codeOf)
    return (await Promise.all(Array.from({ length: Number(count) }, create))).join(' ')
  },
  grant: (owner, usd) =>
    service.grant(owner, Number(usd), { by: 'the test', why: 'a start' }).then(() => 'granted', codeOf),
  'delete-job': (owner, id) => service.delete(id!, owner).then(() => 'deleted', codeOf),
  upload(owner, length, announced) {
    const bytes = new Uint8Array(Number(length))
    bytes.set(fakeFile('image').bytes.subarray(0, bytes.length))
    const stream = new Blob([bytes]).stream()
    const size = announced === 'announced' ? { bytes: bytes.length } : {}
    return stored.store(owner, stream, size).then(({ id }) => id, codeOf)
  },
  'delete-upload': (owner, id) => stored.delete(id!, owner).then(() => 'deleted', codeOf),
}

function codeOf(error: unknown): string {
  return error instanceof GenerationError ? error.code : String(error)
}

await service.ready()
service.start()
console.log('ready')
for await (const line of createInterface({ input: process.stdin })) {
  const [action = '', owner = '', ...more] = line.split(' ')
  console.log(await actions[action]!(owner, ...more))
}
