import type { CallToolResult, Client } from '@modelcontextprotocol/client'
import { expect } from 'vitest'
import { keys } from './servers/mcp-service.ts'

/** What the tools say beside their text. */
export interface ShownJob {
  readonly job_id: string
  readonly status: string
  readonly cost_usd: number
  readonly error: string | null
  readonly files: readonly { readonly uri: string; readonly open_url?: string; readonly mime_type?: string }[]
}

/** Calls a tool. */
export async function call(client: Client, name: string, args: object): Promise<CallToolResult> {
  const result = await client.callTool({ name, arguments: { ...args } })
  expect(JSON.stringify(result)).not.toContain(keys.alice)
  return result as CallToolResult
}

export const shownJob = (result: CallToolResult) => result.structuredContent as unknown as ShownJob

export const textOf = ({ content }: CallToolResult) =>
  content.map((part) => (part.type === 'text' ? part.text : '')).join('')

export const typesOf = ({ content }: CallToolResult) => content.map(({ type }) => type)
