import { mcpService } from './mcp-service.ts'

declare const Bun: {
  serve(options: {
    hostname: string
    port: number
    idleTimeout: number
    fetch: (request: Request) => Promise<Response>
  }): { port: number }
}

const { service, handle } = mcpService()
service.start()
// A call that waits says nothing for longer than the 10 seconds after which Bun would end it.
const { port } = Bun.serve({ hostname: '127.0.0.1', port: 0, idleTimeout: 120, fetch: handle })
console.log(JSON.stringify({ port }))
