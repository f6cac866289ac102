import type { VendorAccess } from '../vendor/vendor-provider.ts'
import type { FastClockOptions } from './fast-clock.ts'
import type { KillPoint } from './kill-points.ts'
import type { Store } from './outages.ts'

/** Where clients are told that the service is, whichever process tells them. */
export const serviceOrigin = 'https://service.example'

/** What a server process is given, as JSON in its one argument. */
export interface ServerSettings {
  readonly places: Places
  readonly vendor: VendorAccess
  readonly clock: FastClockOptions
  /** The bearer key of each owner. */
  readonly keys: Readonly<Record<string, string>>
  readonly linkSecret: string
  /** Dies there. */
  readonly killAt?: KillPoint | undefined
}

/** What several processes share on the disk. */
export interface Places {
  readonly database: string
  readonly files: string
  readonly deaths: string
  /** Where the processes write down what the auditor wants to know of them. */
  readonly diary: string
}

/** A line that a server process is told, as JSON: a store of its own is to be away from it. */
export interface OutageOrder {
  readonly store: Store
  /** By the service's clock. Zero ends an outage, and one that is yet to begin. */
  readonly forMs: number
  /** Begins when the provider has answered the next submit, and not at once. */
  readonly afterNextAnswer?: boolean | undefined
}
