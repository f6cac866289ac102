import type { Client, Model } from '@genmount/client'
import type { WaitingPlaces } from '@genmount/core'
import type { CallToolResult, Tool as ToolListing } from '@modelcontextprotocol/server'
import type { CheckedSettings } from '../server/mcp-options.ts'
import type { Spending } from '../spending/spending.ts'
import type { PendingCall } from '../waiting/pending-call.ts'
import type { Watch } from '../waiting/watch-job.ts'

/** The context that the tools of one server share. */
export interface ToolContext {
  readonly client: Client<object>
  readonly settings: CheckedSettings
  /** Identifies the owner of the key of the client. Creates and waiting calls are counted by it. */
  readonly user: string
  /** `undefined` if spending has no limit. */
  readonly spending: Spending | undefined
  /** Watches jobs in this process. @default calls that wait follow their jobs through the client */
  readonly watch?: Watch | undefined
  /** The places of calls that follow their jobs through the client. @default every call may wait */
  readonly places?: WaitingPlaces
  /** The models of the service. The list is requested again at most once a minute. */
  models(): Promise<readonly Model[]>
}

/** One call of a tool. */
export interface ToolCall {
  readonly args: Readonly<Record<string, unknown>>
  /** Aborts when the client cancels the call or disconnects. */
  readonly signal: AbortSignal
  /** Whether the client accepts a task instead of a result. */
  readonly knowsTasks: boolean
}

/** A tool, as the server lists and calls it. */
export interface Tool {
  readonly name: string
  /** @returns `undefined` when the service has no model for the tool */
  listing(models: readonly Model[]): Omit<ToolListing, 'name'> | undefined
  /**
   * @returns the result, or the job for which the call waits
   * @throws ToolError or GenmountError, which the server turns into an error result
   */
  call(context: ToolContext, call: ToolCall): Promise<CallToolResult | PendingCall>
}
