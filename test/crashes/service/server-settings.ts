import type { VendorAccess } from '../vendor/vendor-provider.ts'
import type { FastClockOptions } from './fast-clock.ts'
import type { KillPoint } from './kill-points.ts'

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
}
