import type { FastClockOptions } from '../../crashes/service/fast-clock.ts'
import type { VendorAccess } from '../../crashes/vendor/vendor-provider.ts'
import type { Trouble } from './troubles.ts'

/** What a service process is given, as JSON in its one argument. */
export interface ServiceSettings {
  readonly places: Places
  readonly vendor: VendorAccess
  readonly clock: FastClockOptions
  readonly aliceKey: string
  readonly linkSecret: string
  readonly trouble?: Trouble | undefined
}

/** What several processes share on the disk. */
export interface Places {
  readonly database: string
  readonly files: string
}
