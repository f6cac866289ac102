export { toNodeMcpHandler, type NodeRequest } from './node-http/to-node-mcp-handler.ts'
