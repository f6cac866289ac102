import type { Model } from '@genmount/client'
import type { CallToolResult, Tool as ToolListing } from '@modelcontextprotocol/server'
import type { PendingCall } from '../waiting/pending-call.ts'
import type { ToolContext } from './tool-context.ts'

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
