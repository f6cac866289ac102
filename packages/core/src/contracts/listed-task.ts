import type { Json } from './json.ts'

/** A task in the list of a vendor, as `Provider.list` reports it. */
export interface ListedTask {
  /** The `handle` that the `running` report of this task has, or a part of it if `clientToken` is there. */
  readonly handle: Json
  /** Whether the task still runs or waits, or how it has ended. */
  readonly state: 'running' | 'succeeded' | 'failed'
  /** When the vendor took the task on, in milliseconds since the Unix epoch by its clock. @default not known */
  readonly createdAt?: number | undefined
  /** The vendor's name of the model. @default not known */
  readonly model?: string | undefined
  /** What the task has cost, in US dollars. @default not known */
  readonly costUsd?: number | undefined
  /** The `clientToken` of the submit. @default the vendor's list does not have it */
  readonly clientToken?: string | undefined
  /** The callback URL of the submit. It contains a secret. @default the vendor's list does not have it */
  readonly callbackUrl?: string | undefined
}
