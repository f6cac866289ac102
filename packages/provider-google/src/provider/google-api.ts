import type { Provider } from '@genmount/core'
import type { GuardedFetch } from '@genmount/guarded-fetch'
import type { VendorClient } from '@genmount/vendor-http'

/** How to reach Google's API. */
export interface GoogleApi {
  readonly ask: VendorClient['ask']
  readonly fetchFile: GuardedFetch
  /** The address of the API, or of the gateway in front of it. */
  readonly baseUrl: string
  readonly origin: string
}

/** How the files of a task are fetched. */
export interface TaskFetching {
  readonly signal: AbortSignal
  /** The owner of the task. */
  readonly owner: string | undefined
}

/** How one kind of model runs its jobs. */
export type GoogleWork = Pick<Provider, 'submit' | 'poll' | 'cancel'>
