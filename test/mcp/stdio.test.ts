import { expect, onTestFinished, test, vi } from 'vitest'
import { runProgram } from '../processes/run-program.ts'
import { connectOverStdio, programCommand } from './connect.ts'
import { call, textOf } from './call.ts'
import { keys } from './servers/mcp-service.ts'
import { startOnNode } from './servers/start-on-node.ts'

/** @returns what the program prints and its exit code, when its input ends at once */
async function runWith(env: Record<string, string>) {
  const { stdout, stderr, exit } = await runProgram(await programCommand(), { env })
  return { printed: stdout + stderr, exit }
}

test('genmount-mcp ends when its input ends, and says which environment variable is missing or wrong', async () => {
  expect(await runWith({ GENMOUNT_URL: 'http://127.0.0.1:9' })).toEqual({ printed: '', exit: 0 })
  for (const GENMOUNT_URL of ['', 'localhost:3000', 'http://127.0.0.1:3000/v1'])
    expect(await runWith({ GENMOUNT_URL })).toEqual({
      printed: expect.stringMatching(/^GENMOUNT_URL must be the address of the server in front of \/v1/),
      exit: 2,
    })
  expect(await runWith({ GENMOUNT_URL: 'http://127.0.0.1:9', GENMOUNT_MAX_COST_USD: 'much' })).toEqual({
    printed: expect.stringMatching(/^GENMOUNT_MAX_COST_USD must be/),
    exit: 2,
  })
})

test('the tools of genmount-mcp answer with the error for a wrong API key, and never print the key', async () => {
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

test('GENMOUNT_MAX_COST_USD limits the spending of a genmount-mcp process and of the next process together', async () => {
  const { baseUrl, stop } = await startOnNode()
  onTestFinished(stop)
  const connect = () => connectOverStdio(baseUrl, 'modern', { GENMOUNT_MAX_COST_USD: '0.25' })
  const painting = { model: 'painter', prompt: 'a kite' }
  const { client } = await connect()
  expect((await call(client, 'generate_image', painting)).isError ?? false).toBe(false)
  expect(textOf(await call(client, 'generate_image', painting))).toMatch(/^insufficient_quota: /)
  await client.close()
  const { client: next } = await connect()
  onTestFinished(() => next.close())
  expect(textOf(await call(next, 'generate_image', painting))).toMatch(/^insufficient_quota: /)
})

test('genmount-mcp ends when its client leaves during a call, and the job goes on', async () => {
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
