import type { Provider } from '@genmount/core'
import type { GuardedFetch } from '@genmount/guarded-fetch'
import type { VendorClient } from '@genmount/vendor-http'

/** How the API is reached. */
export interface GoogleApi {
  readonly ask: VendorClient['ask']
  readonly fetchFile: GuardedFetch
  /** For files of the API's own `origin`, and for nobody else. */
  readonly keyHeaders: Readonly<Record<string, string>>
  readonly origin: string
}

/** Until when what a task needs is fetched, and for whom. */
export interface TaskFetching {
  readonly signal: AbortSignal
  /** The task's. */
  readonly owner: string | undefined
}

/** What a model does for its jobs. */
export type GoogleWork = Pick<Provider, 'submit' | 'poll'>
