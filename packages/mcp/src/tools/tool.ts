import type { Client, Model } from '@genmount/client'
import type { CallToolResult, Tool as ToolListing } from '@modelcontextprotocol/server'
import type { CheckedSettings } from '../server/mcp-options.ts'
import type { Spending } from '../spending/spending.ts'

/** What the tools of one server work with. */
export interface ToolContext {
  readonly client: Client<object>
  readonly settings: CheckedSettings
  /** Stands for the key of the client. */
  readonly user: string
  /** `undefined` where spending has no limit. */
  readonly spending: Spending | undefined
  /** The models of the service, which are asked for anew after a while. */
  models(): Promise<readonly Model[]>
}

/** One call of a tool. */
export interface ToolCall {
  readonly args: Readonly<Record<string, unknown>>
  /** Aborts when the client has cancelled the call or is gone. */
  readonly signal: AbortSignal
  /** Whether the client can be given a task in place of a result. */
  readonly knowsTasks: boolean
  /** Tells the client how far the job is. `undefined` when it does not want to know. */
  readonly onProgress: ((progress: number, message: string) => void) | undefined
}

/** A tool, as the server lists and calls it. */
export interface Tool {
  readonly name: string
  /** @returns `undefined` when there is no model for it */
  listing(models: readonly Model[]): Omit<ToolListing, 'name'> | undefined
  /** @throws ToolError or GenmountError, which become an answer */
  call(context: ToolContext, call: ToolCall): Promise<CallToolResult>
}
