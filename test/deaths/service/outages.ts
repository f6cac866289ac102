import type { Clock } from '@genmount/core'
import type { PartHooks } from './hooked.ts'
import type { Store } from './server-settings.ts'

/** Makes the stores of a process unreachable. */
export interface Outages {
  /**
   * Makes all calls to the store fail from now on. @param forMs for how long, in milliseconds of the service
   */
  begin(store: Store, forMs: number): void
  readonly hooks: PartHooks
}

export function outagesBy(clock: Clock): Outages {
  const endsAt: Record<Store, number> = { jobs: Number.NEGATIVE_INFINITY, files: Number.NEGATIVE_INFINITY }
  const fails = (store: Store) => ({
    before() {
      if (clock.uptime() < endsAt[store]) throw new Error(`The store of ${store} is away.`)
    },
  })
  const [jobs, files] = [fails('jobs'), fails('files')]
  return {
    begin(store, forMs) {
      endsAt[store] = clock.uptime() + forMs
    },
    hooks: {
      jobs: {
        insert: jobs,
        findByIdempotencyKey: jobs,
        get: jobs,
        replace: jobs,
        due: jobs,
        expired: jobs,
        delete: jobs,
      },
      files: { put: files, open: files, delete: files },
    },
  }
}
