import { once } from 'node:events'
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test, vi } from 'vitest'
import { runtimes } from '../processes/runtimes.ts'
import { connectOverStdio } from './connect.ts'
import { call, textOf } from './mcp-suite.ts'
import { keys } from './servers/mcp-service.ts'
import { startOnNode } from './servers/start-on-node.ts'

const program = fileURLToPath(new URL('../../packages/mcp/src/genmount-mcp.ts', import.meta.url))

/** @returns what the program says and ends with, when its input ends at once */
async function runWith(env: Record<string, string>) {
  const [command, ...args] = runtimes.node
  const child = spawn(command, [...args, program], { env, stdio: ['pipe', 'pipe', 'pipe'] })
  let said = ''
  child.stdout.on('data', (chunk) => (said += String(chunk)))
  child.stderr.on('data', (chunk) => (said += String(chunk)))
  child.stdin.end()
  const [code] = (await once(child, 'close')) as [number]
  return { said, code }
}

test('the program ends by itself when its input ends, and says what is missing in its environment', async () => {
  expect(await runWith({ GENMOUNT_URL: 'http://127.0.0.1:9' })).toEqual({ said: '', code: 0 })
  for (const GENMOUNT_URL of ['', 'localhost:3000', 'http://127.0.0.1:3000/v1'])
    expect(await runWith({ GENMOUNT_URL })).toEqual({
      said: expect.stringMatching(/^GENMOUNT_URL must be the address of the server in front of \/v1/),
      code: 2,
    })
  expect(await runWith({ GENMOUNT_URL: 'http://127.0.0.1:9', GENMOUNT_MAX_COST_USD: 'much' })).toEqual({
    said: expect.stringMatching(/^GENMOUNT_MAX_COST_USD must be/),
    code: 2,
  })
})

test('a wrong key, and a server that is away, are answers of the tools that do not show the key', async () => {
  const { baseUrl, stop } = await startOnNode()
  const { client, complaints } = await connectOverStdio(baseUrl, 'modern', {
    GENMOUNT_API_KEY: 'a-wrong-key',
  })
  onTestFinished(() => client.close())
  const result = await call(client, 'list_models', {})
  expect(textOf(result)).toMatch(/^invalid_api_key: /)
  await expect(client.listTools()).rejects.toThrow(/API key/)
  await stop()
  expect(JSON.stringify(result) + complaints()).not.toContain('a-wrong-key')
})

test('a limit holds for a process, and for the one that comes after it', async () => {
  const { baseUrl, stop } = await startOnNode()
  onTestFinished(stop)
  const connect = () => connectOverStdio(baseUrl, 'modern', { GENMOUNT_MAX_COST_USD: '0.25' })
  const painting = { model: 'painter', prompt: 'a kite' }
  const { client } = await connect()
  expect((await call(client, 'generate_image', painting)).isError ?? false).toBe(false)
  expect(textOf(await call(client, 'generate_image', painting))).toMatch(/^spending_limit: /)
  await client.close()
  const { client: next } = await connect()
  onTestFinished(() => next.close())
  expect(textOf(await call(next, 'generate_image', painting))).toMatch(/^spending_limit: /)
})

test('a process whose client leaves while it waits ends, and its job goes on', async () => {
  const { baseUrl, stop, provider } = await startOnNode()
  onTestFinished(stop)
  const { client, transport } = await connectOverStdio(baseUrl)
  const { pid } = transport
  const film = { prompt: 'a kite', delay_ms: 600_000 }
  const calling = client.callTool({ name: 'generate_video', arguments: film }).catch(() => {})
  await vi.waitFor(() => expect(provider.ledger).toHaveLength(1), 60_000)
  await client.close()
  await calling
  await vi.waitFor(() => expect(() => process.kill(pid!, 0)).toThrow(/ESRCH/), 60_000)
  const jobs = await fetch(`${baseUrl}/v1/jobs`, { headers: { authorization: `Bearer ${keys.alice}` } })
  expect(await jobs.json()).toMatchObject({ data: [{ status: 'processing' }] })
})
