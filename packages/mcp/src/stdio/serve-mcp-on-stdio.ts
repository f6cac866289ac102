import { inspect } from 'node:util'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { createServer } from '../server/create-server.ts'
import { sessionContext } from '../server/mcp-server.ts'
import type { McpOptions } from '../server/mcp-options.ts'

/** A running server on stdio. */
export interface StdioServer {
  /** Ends the connection. Running jobs continue. */
  close(): Promise<void>
}

/**
 * Serves the tools of `mcpServer` over the standard input and output of this process, until the input ends. After that,
 * the server does not keep the process alive. No other code may write to standard output.
 * @throws TypeError when an option is wrong
 * @example serveMcpOnStdio({ client: createClient({ baseUrl: 'http://127.0.0.1:3000', apiKey: 'key' }) })
 */
export function serveMcpOnStdio(options: McpOptions): StdioServer {
  const context = sessionContext(options)
  return serveStdio(() => createServer(context, printError), { onerror: printError })
}

/** Prints an error without what would control a terminal, because its message may come from the service. */
function printError(error: unknown): void {
  console.error(inspect(error).replaceAll(/(?!\n)[\p{Cc}\u2028\u2029\p{Bidi_Control}]/gu, ' '))
}
