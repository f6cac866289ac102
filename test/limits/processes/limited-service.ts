/**
 * A service with limits, as one of several processes has it. For each line that it reads, it creates as many jobs at the
 * same time as the line asks for, `owner delayMs count`; or deletes a job, `delete owner id`; or stores an upload of so
 * many bytes, whose length it announces or not, `upload owner bytes announced`; or deletes one, `remove owner id`. It prints
 * the ids of the jobs or uploads, or the codes with which they were refused, in one line. Each job costs 0.40 US dollars.
 */
import { createInterface } from 'node:readline'
import pg from 'pg'
import { postgresBackend } from '@genmount/backend-postgres'
import { sqliteBackend } from '@genmount/backend-sqlite'
import { createGenerationService, GenerationError, type OwnerLimits } from '@genmount/core'
import { diskFiles } from '@genmount/files-disk'
import { fakeFile, fakeProvider, quietLog } from '@genmount/testing'

const { database, limits, folder } = JSON.parse(process.argv[2] ?? '') as {
  readonly database: string
  readonly limits: OwnerLimits
  /** The folder of the file store that takes uploads. @default none: outputs stay in memory */
  readonly folder?: string
}

const service = createGenerationService({
  providers: [
    fakeProvider({ behave: ({ input }) => ({ costUsd: 0.4, delayMs: Number(input['delay_ms']) }) }),
  ],
  backend: database.startsWith('postgres:')
    ? postgresBackend({ pool: new pg.Pool({ connectionString: database }), schema: 'limited' })
    : sqliteBackend({ file: database }),
  limits,
  ...(folder !== undefined && { files: diskFiles({ folder }), uploads: {} }),
  log: quietLog(),
})
await service.ready()
service.start()
console.log('ready')

function answersTo([first = '', second = '', third = '1', announced]: readonly string[]): Promise<string>[] {
  if (first === 'delete') return [service.delete(third, second).then(() => 'deleted', wordOf)]
  if (first === 'upload') return [upload(second, Number(third), announced === 'announced')]
  if (first === 'remove') return [removal(second, third)]
  const input = { prompt: 'a fox', delay_ms: Number(second) }
  const create = () =>
    service.create({ owner: first, model: 'fake-image', input }).then(({ job }) => job.id, wordOf)
  return Array.from({ length: Number(third) }, create)
}

async function upload(owner: string, bytes: number, isAnnounced: boolean): Promise<string> {
  const film = new Uint8Array(bytes)
  film.set(fakeFile('image').bytes.subarray(0, bytes))
  const stream = new Blob([film]).stream()
  return service.uploads!.store(owner, stream, isAnnounced ? { bytes } : {}).then(({ id }) => id, wordOf)
}

function removal(owner: string, id: string): Promise<string> {
  return service.uploads!.delete(id, owner).then(() => 'removed', wordOf)
}

function wordOf(error: unknown): string {
  return error instanceof GenerationError ? error.code : String(error)
}

for await (const line of createInterface({ input: process.stdin })) {
  console.log((await Promise.all(answersTo(line.split(' ')))).join(' '))
}
