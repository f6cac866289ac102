import type { Client } from '@genmount/client'
import type { Server } from '@modelcontextprotocol/server'
import type { ToolContext } from '../tools/tool-context.ts'
import { createServer } from './create-server.ts'
import { checkSettings, type McpOptions } from './mcp-options.ts'
import { modelList } from './model-list.ts'

/**
 * Makes an MCP server for one client, with the tools `generate_image`, `generate_video`, `edit_image`, `get_job`,
 * `cancel_job` and `list_models`. It serves one connection, and sends nothing until a transport is connected.
 * @throws TypeError when an option is wrong
 * @example await mcpServer({ client: createClient({ baseUrl, apiKey }) }).connect(transport)
 */
export function mcpServer(options: McpOptions): Server {
  return createServer(sessionContext(options), console.error)
}

/** Makes the context that all servers for one client share. @throws TypeError when an option is wrong */
export function sessionContext({ client, ...settings }: McpOptions): ToolContext {
  if (typeof (client as Partial<Client<object>> | undefined)?.models !== 'function')
    throw new TypeError('client must be a client that createClient of @genmount/client has made.')
  return { client, user: '', settings: checkSettings(settings), models: modelList(client) }
}
