export { runGenmountMcp, type McpEnvironment } from './stdio/run-genmount-mcp.ts'
export { serveMcpOnStdio, type StdioServer } from './stdio/serve-mcp-on-stdio.ts'
