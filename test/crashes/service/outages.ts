import type { Backend, Clock, FileStore } from '@genmount/core'

/** The stores that can be made unreachable for a server process. */
export type Store = 'jobs' | 'files'

/** Makes the stores of a process unreachable. */
export interface Outages {
  /**
   * Makes all calls to the store fail from now on. @param forMs for how long, in milliseconds of the service
   */
  begin(store: Store, forMs: number): void
  backend(backend: Backend): Backend
  files(files: FileStore): FileStore
}

export function outagesBy(clock: Clock): Outages {
  const endsAt: Record<Store, number> = { jobs: Number.NEGATIVE_INFINITY, files: Number.NEGATIVE_INFINITY }

  const unless =
    <Args extends unknown[], Result>(store: Store, ask: (...args: Args) => Promise<Result>) =>
    async (...args: Args): Promise<Result> => {
      if (clock.uptime() < endsAt[store]) throw new Error(`The store of ${store} is away.`)
      return ask(...args)
    }

  return {
    begin(store, forMs) {
      endsAt[store] = clock.uptime() + forMs
    },

    backend(backend) {
      const { jobs } = backend
      return {
        ...backend,
        jobs: {
          ...jobs,
          insert: unless('jobs', jobs.insert),
          findByIdempotencyKey: unless('jobs', jobs.findByIdempotencyKey),
          get: unless('jobs', jobs.get),
          replace: unless('jobs', jobs.replace),
          due: unless('jobs', jobs.due),
          expired: unless('jobs', jobs.expired),
          delete: unless('jobs', jobs.delete),
        },
      }
    },

    files(files) {
      return {
        ...files,
        put: unless('files', files.put),
        ...(files.open && { open: unless('files', files.open) }),
        delete: unless('files', files.delete),
      }
    },
  }
}
