import type { Client, Model } from '@genmount/client'
import type { JobWatcher, WaitingPlaces } from '@genmount/core'
import type { CheckedSettings } from '../server/mcp-options.ts'

/** Watches a job of the caller in this process, as `watch` of the service does. */
export type Watch = (jobId: string, watcher: JobWatcher) => Promise<() => void>

/** The context that the tools of one server share. */
export interface ToolContext {
  readonly client: Client<object>
  readonly settings: CheckedSettings
  /** Identifies the owner of the key of the client. Bodies and waiting calls are counted by it. */
  readonly user: string
  /** Watches jobs in this process. @default calls that wait follow their jobs through the client */
  readonly watch?: Watch | undefined
  /** The places of calls that follow their jobs through the client. @default every call may wait */
  readonly places?: WaitingPlaces
  /** The models of the service. The list is requested again at most once a minute. */
  models(): Promise<readonly Model[]>
}
