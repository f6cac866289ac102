import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { Client } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { runtimes } from '../processes/runtimes.ts'
import { connectOverHttp, connectOverStdio, type Era } from './connect.ts'
import { mcpSuite } from './mcp-suite.ts'
import { startOnNode } from './servers/start-on-node.ts'

interface Connection {
  readonly client: Client
  readonly baseUrl: string
  stop(): unknown
}

async function overHttp(era: Era): Promise<Connection> {
  const { baseUrl, stop } = await startOnNode()
  return { client: await connectOverHttp(baseUrl, era), baseUrl, stop }
}

async function overStdio(era: Era): Promise<Connection> {
  const { baseUrl, stop } = await startOnNode()
  const { client } = await connectOverStdio(baseUrl, era)
  return { client, baseUrl, stop }
}

/** A process that serves with the fetch handler, and prints its port. */
async function overFetch(runtime: 'deno' | 'bun'): Promise<Connection> {
  const [binary, ...args] = runtimes[runtime]
  const script = fileURLToPath(new URL(`servers/${runtime}-server.ts`, import.meta.url))
  const server = spawn(binary, [...args, script], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [line] = (await once(createInterface(server.stdout), 'line')) as [string]
  const baseUrl = `http://127.0.0.1:${(JSON.parse(line) as { port: number }).port}`
  return { client: await connectOverHttp(baseUrl), baseUrl, stop: () => server.kill('SIGKILL') }
}

const connections: Record<string, () => Promise<Connection>> = {
  'over HTTP on Node': () => overHttp('modern'),
  'over HTTP on Node, for clients of 2025': () => overHttp('legacy'),
  'over HTTP on Deno': () => overFetch('deno'),
  'over HTTP on Bun': () => overFetch('bun'),
  'over stdio': () => overStdio('modern'),
  'over stdio, for clients of 2025': () => overStdio('legacy'),
}

const promises = Object.keys(mcpSuite(undefined as never, ''))

describe.each(Object.keys(connections))('%s', (name) => {
  let connection: Connection
  let suite: ReturnType<typeof mcpSuite>

  beforeAll(async () => {
    connection = await connections[name]!()
    suite = mcpSuite(connection.client, connection.baseUrl)
  })
  afterAll(async () => {
    await connection?.client.close()
    await connection?.stop()
  })

  test.each(promises)('%s', (promise) => suite[promise]!())
})
