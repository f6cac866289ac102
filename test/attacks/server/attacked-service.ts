import * as v from 'valibot'
import { createGenerationService } from '@genmount/core'
import type { GenerationService, Output } from '@genmount/core'
import { sqliteBackend } from '@genmount/backend-sqlite'
import { diskFiles } from '@genmount/files-disk'
import { fakeProvider, quietLog } from '@genmount/testing'
import { keyOf } from './keys.ts'

/** How the attacked server differs from one with the defaults. */
export interface AttackedSettings {
  /** Where it keeps jobs and files. */
  readonly folder: string
  /** How many keys of further owners there are. @default 0 */
  readonly moreKeys?: number
  /** @default that of the service */
  readonly maxWaiters?: number
}

/** A film of this many bytes is what the input field `output_mb` asks for, in millions. */
const filmOf = (megabytes: number): Output[] => [
  { bytes: new Uint8Array(megabytes * 1e6), contentType: 'video/mp4' },
]

/**
 * A service as an app has it: jobs in SQLite, files on disk, and a model `anything` whose schema takes every field. How long
 * its jobs run and how large their output is, the input says.
 */
export function attackedService(settings: AttackedSettings): {
  readonly service: GenerationService
  readonly keys: Readonly<Record<string, string>>
} {
  const { folder, moreKeys = 0, maxWaiters } = settings
  const provider = fakeProvider({
    models: [{ id: 'anything', outputKind: 'video', input: v.looseObject({ prompt: v.string() }) }],
    behave: ({ input }) => ({
      ...(typeof input['delay_ms'] === 'number' && { delayMs: input['delay_ms'] }),
      ...(typeof input['output_mb'] === 'number' && { outputs: filmOf(input['output_mb']) }),
    }),
  })
  const service = createGenerationService({
    providers: [provider],
    backend: sqliteBackend({ file: `${folder}/jobs.db` }),
    files: diskFiles({ folder: `${folder}/outputs` }),
    log: quietLog(),
    ...(maxWaiters !== undefined && { maxWaiters }),
  })
  const owners = ['attacker', 'honest', ...Array.from({ length: moreKeys }, (_, index) => `owner-${index}`)]
  return { service, keys: Object.fromEntries(owners.map((owner) => [owner, keyOf(owner)])) }
}
