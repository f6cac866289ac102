import { createGenerationService, type GenerationService } from '@genmount/core'
import { sqliteBackend } from '@genmount/backend-sqlite'
import { diskFiles } from '@genmount/files-disk'
import { proceduralProvider } from '@genmount/provider-procedural'
import { createGuardedFetch } from '../../../packages/guarded-fetch/src/fetch/guarded-fetch.ts'
import { createLookUp } from '../../../packages/guarded-fetch/src/lookup/look-up.ts'
import { loopbackDns } from '../../guarded-fetch/loopback-dns.ts'
import { keyOf } from './keys.ts'
import { statelessProvider } from './stateless-provider.ts'

/** The settings of the attacked server that may differ from the defaults. */
export interface AttackedSettings {
  /** The folder in which it keeps jobs and files. */
  readonly folder: string
  /** How many more owners with a key of their own there are. @default 0 */
  readonly moreKeys?: number
  /** The option of the service. @default the default of the service */
  readonly maxWaiters?: number
}

/**
 * A service like that of an app: jobs in SQLite, files on disk, and a model `anything` whose schema accepts
 * every field. The input of a job says how long the job runs, how large its output is and where it is. The models of the procedural provider are there too. The service looks names up at a DNS server on
 * loopback that never answers.
 */
export async function attackedService(settings: AttackedSettings): Promise<{
  readonly service: GenerationService
  readonly keys: Readonly<Record<string, string>>
}> {
  const { folder, moreKeys = 0, maxWaiters } = settings
  const { server } = await loopbackDns({})
  const none = '/nonexistent/genmount'
  const lookUp = createLookUp({ servers: [server], hostsFile: none, resolverFile: none })
  const service = createGenerationService({
    providers: [statelessProvider(), proceduralProvider()],
    backend: sqliteBackend({ file: `${folder}/jobs.db` }),
    files: { ...diskFiles({ folder: `${folder}/outputs` }), fetch: createGuardedFetch({ lookUp }) },
    uploads: {},
    // Not `quietLog`, which keeps all log entries in memory.
    log: { warn() {}, error() {} },
    ...(maxWaiters !== undefined && { maxWaiters }),
  })
  const owners = ['attacker', 'honest', ...Array.from({ length: moreKeys }, (_, index) => `owner-${index}`)]
  return { service, keys: Object.fromEntries(owners.map((owner) => [owner, keyOf(owner)])) }
}
