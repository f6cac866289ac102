import type { Json, JsonObject } from './json.ts'

/** The part of a job that its provider gets. */
export interface ProviderTask {
  /** The id of the job. */
  readonly jobId: string
  /** The model id that this provider uses. */
  readonly model: string
  /** The validated input. */
  readonly input: JsonObject
  /**
   * A random UUID that is the same for every submit of this job. Providers send it as the idempotency key or client id,
   * if their vendor has one.
   */
  readonly clientToken: string
  /**
   * A mark of the job's owner. Its only purpose is that the owners take turns when tasks have to wait in this process.
   * It is not the owner's name, which may be personal data and should not be in a provider's log. The mark is random,
   * so it reveals nothing about the name. It is the same for all jobs of an owner in one service of one process, and
   * different in every other process. Do not send it to the vendor. The service always sets it; tasks without it count
   * as those of one owner.
   */
  readonly owner?: string | undefined
}

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
