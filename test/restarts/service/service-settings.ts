import type { FastClockOptions } from '../../crashes/service/fast-clock.ts'
import type { VendorAccess } from '../../crashes/vendor/vendor-provider.ts'
import type { Trouble } from './troubles.ts'

/** The settings of a service process. It gets them as JSON in its only argument. */
export interface ServiceSettings {
  readonly places: Places
  readonly vendor: VendorAccess
  readonly clock: FastClockOptions
  readonly aliceKey: string
  readonly linkSecret: string
  readonly trouble?: Trouble | undefined
}

/** The paths that several processes share. */
export interface Places {
  readonly database: string
  readonly files: string
}
