import { mcpService } from './mcp-service.ts'

declare const Deno: {
  serve(
    options: { hostname: string; port: number; onListen: (address: { port: number }) => void },
    handler: (request: Request) => Promise<Response>,
  ): unknown
}

const onListen = ({ port }: { port: number }) => console.log(JSON.stringify({ port }))
const { service, handle } = mcpService()
service.start()
Deno.serve({ hostname: '127.0.0.1', port: 0, onListen }, handle)
