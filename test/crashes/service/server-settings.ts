import type { VendorAccess } from '../vendor/vendor-provider.ts'
import type { FastClockOptions } from './fast-clock.ts'
import type { KillPoint } from './kill-points.ts'
import type { Store } from './outages.ts'

/** The public address that all processes give to clients. */
export const serviceOrigin = 'https://service.example'

/** The one argument of a server process, as JSON. */
export interface ServerSettings {
  readonly places: Places
  readonly vendor: VendorAccess
  /** The address of the receiver of webhooks, and the secret that signs them. */
  readonly receiver: { readonly address: string; readonly secret: string }
  readonly clock: FastClockOptions
  /** The bearer key of each owner. */
  readonly keys: Readonly<Record<string, string>>
  readonly linkSecret: string
  /** How long uploads are kept, in hours of the service. */
  readonly uploadHours: number
  /** Whether uploads count in what their owners may store, of which they have enough. */
  readonly countsUploads: boolean
  /** The point at which the process kills itself. @default none */
  readonly killAt?: KillPoint | undefined
}

/** The files that all processes share. */
export interface Places {
  /** The path of a SQLite file, or the URL of a Postgres database. */
  readonly database: string
  /** The URL of the Redis that wakes the jobs in Postgres. @default the timers of the processes wake them */
  readonly redis?: string | undefined
  readonly files: string
  readonly deaths: string
  /** The file in which the processes write what the auditor needs to know about them. */
  readonly diary: string
}

/** A line of standard input for a server process, as JSON: makes one of its stores unreachable. */
export interface OutageOrder {
  readonly store: Store
  /**
   * How long the outage lasts, in milliseconds of the service. Zero ends an outage, even an outage that has not begun
   * yet.
   */
  readonly forMs: number
  /** Whether the outage begins only when the provider has answered the next submit. @default false */
  readonly afterNextAnswer?: boolean | undefined
}
