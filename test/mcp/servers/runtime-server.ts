/* Serves the MCP endpoint on the runtime that runs this script, Bun or Deno. */
import { serveOnRuntime } from '../../processes/serve-on-runtime.ts'
import { mcpService } from './mcp-service.ts'

const { service, handle } = mcpService()
service.start()
serveOnRuntime(handle)
