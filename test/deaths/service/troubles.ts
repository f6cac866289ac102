import { actHalfway, kill } from './kill-points.ts'
import type { PartHooks } from './hooked.ts'
import type { Store } from './server-settings.ts'

/** What is wrong with a service, by name. */
export const troubles = {
  /** The third output of any job crashes the process halfway through its copy. */
  'crashes over third outputs': {
    files: {
      fetch: {
        after: ({ body }, url) => (url.endsWith('/2') ? { body: actHalfway(body, crash) } : undefined),
      },
    },
  },

  /** The service deletes what has expired by its clock, although that clock was set. */
  'believes any clock': {
    jobs: {
      expired: { after: (jobs) => jobs.map((job) => ({ ...job, deletedAt: job.expiresAt })) },
    },
  },

  /** Jobs whose prompt begins with `accepted` are refused by the vendor. No output is ever stored or copied. */
  'gets stuck': {
    provider: {
      submit: {
        before: ({ input }) =>
          String(input['prompt']).startsWith('accepted')
            ? { state: 'refused', message: 'The vendor is busy.', retryAfterMs: 30_000 }
            : undefined,
      },
    },
    files: { put: { before: () => never() }, fetch: { before: () => never() } },
  },
} satisfies Record<string, PartHooks>
export type Trouble = keyof typeof troubles

/** Poisonous tasks end each process that has the answer to the call that they name. */
export const poisonHooks: PartHooks = {
  provider: {
    submit: {
      after(_, { input }) {
        if (input['poison'] === 'submit') kill()
      },
    },
    poll: { after: (report, { input }) => (input['poison'] === 'poll' ? crash() : report) },
  },
}

/** Every call to a store fails while the store is away. */
export function outageHooks(isAway: (store: Store) => boolean): PartHooks {
  const fails = (store: Store) => ({
    before() {
      if (isAway(store)) throw new Error(`The store of ${store} is away.`)
    },
  })
  const [calls, fileCalls] = [fails('jobs'), fails('files')]
  const reads = { findByIdempotencyKey: calls, get: calls, due: calls, expired: calls }
  return {
    jobs: { ...reads, insert: calls, replace: calls, delete: calls },
    files: { put: fileCalls, open: fileCalls, delete: fileCalls },
  }
}

const never = () => new Promise<never>(() => {})

/** Throws in a callback where no code can catch the error, as a broken parser may. */
function crash(): Promise<never> {
  setImmediate(() => {
    throw new Error('This is more than I can take.')
  })
  return never()
}
