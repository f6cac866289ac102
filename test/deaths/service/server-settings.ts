import type { Account } from '../vendor/task-wish.ts'
import type { VendorAccess } from '../vendor/vendor-provider.ts'
import type { FastClockOptions } from './fast-clock.ts'
import type { KillPoint } from './kill-points.ts'
import type { Trouble } from './troubles.ts'

/** The public address that all processes give to clients. */
export const serviceOrigin = 'https://service.example'

/** The one argument of a server process, as JSON. */
export interface ServerSettings extends Faults {
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
  /**
   * What the service reserves for each job of an owner, who may spend a balance, in US dollars. @default its owners have no
   * balance
   */
  readonly reserveUsd?: number | undefined
  /** Whether the service has the time of its database, and not that of its machine. */
  readonly followsDatabase: boolean
}

/** What is wrong with a server process. By default, nothing is. */
export interface Faults {
  /** The point at which the process kills itself. */
  readonly killAt?: KillPoint | undefined
  readonly trouble?: Trouble | undefined
  /** For how long its providers wait for an answer, in milliseconds of the service. @default as core's default says */
  readonly callTimeoutMs?: number | undefined
  /** Which providers make its models. @default those of the account `main` */
  readonly layout?: Layout | undefined
}

/** The providers of a server. */
export interface Layout {
  /** The account whose providers make the models. */
  readonly serves: Account
  /** The account whose providers are there as well, with other models. @default there are no others */
  readonly keeps?: Account
}

/** The files that all processes share. */
export interface Places {
  /** The path of a SQLite file, or the URL of a Postgres database. */
  readonly database: string
  /** The URL of a libSQL server on that file. @default the processes open the file */
  readonly libsql?: string | undefined
  /** The URL of the Redis that wakes the jobs in Postgres. @default the timers of the processes wake them */
  readonly redis?: string | undefined
  readonly files: string
  readonly deaths: string
  /** The file with the clock of the machine, for `clockIn`. @default each process has the clock in its settings */
  readonly clock?: string | undefined
  /** The file in which the processes write what the auditor needs to know about them. */
  readonly diary: string
}

/** The stores that can be made unreachable for a server process. */
export type Store = 'jobs' | 'files'

/** Makes one store of a server process unreachable. */
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

/** A line of standard input for a server process, as JSON. Instead of JSON, the word `close` closes the server. */
export type ServerOrder = OutageOrder
