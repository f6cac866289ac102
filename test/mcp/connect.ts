import { Client, StreamableHTTPClientTransport, type Transport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { programEnv } from '../processes/launch.ts'
import { runtimes } from '../processes/runtimes.ts'
import { bundledProgram } from '../suite/bundled-programs.ts'
import { keys } from './servers/mcp-service.ts'

/** The protocol's revisions of which clients are around: without sessions, and with an `initialize`. */
export type Era = 'modern' | 'legacy'

/** Connects the client of the official SDK. */
async function connected(transport: Transport, era: Era): Promise<Client> {
  const mode = era === 'modern' ? { pin: '2026-07-28' } : ('legacy' as const)
  const client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode } })
  await client.connect(transport)
  return client
}

/** Connects to the endpoint of a server. */
export function connectOverHttp(
  baseUrl: string,
  era: Era = 'modern',
  key: string = keys.alice,
): Promise<Client> {
  const headers = { authorization: `Bearer ${key}` }
  return connected(
    new StreamableHTTPClientTransport(new URL(`${baseUrl}/mcp`), { requestInit: { headers } }),
    era,
  )
}

/** The command that runs the program `genmount-mcp`. */
export const programCommand = async () =>
  [...runtimes.node, await bundledProgram('packages/mcp/src/genmount-mcp.ts')] as const

/** Starts `genmount-mcp`, and connects to it. */
export async function connectOverStdio(
  baseUrl: string,
  era: Era = 'modern',
  env: Record<string, string> = {},
) {
  const [command, ...args] = await programCommand()
  const transport = new StdioClientTransport({
    command,
    args,
    stderr: 'pipe',
    env: { ...programEnv(), GENMOUNT_URL: baseUrl, GENMOUNT_API_KEY: keys.alice, ...env },
  })
  let complaints = ''
  transport.stderr?.on('data', (chunk) => (complaints += String(chunk)))
  const client = await connected(transport, era)
  return { client, transport, complaints: () => complaints }
}
