import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { expect, onTestFinished, test } from 'vitest'
import { command, genmount } from './genmount.ts'
import { startServer } from './start-server.ts'

test('an agent that starts genmount mcp gets a picture', async () => {
  const { url, env, jobs } = await startServer()
  const [program, ...args] = await command('mcp', '--url', url, '--max-cost', '1')
  const client = new Client({ name: 'test', version: '1.0.0' })
  await client.connect(new StdioClientTransport({ command: program, args, env }))
  onTestFinished(() => client.close())
  const { tools } = await client.listTools()
  expect(tools.map(({ name }) => name)).toContain('generate_image')
  const answer = await client.callTool({
    name: 'generate_image',
    arguments: { model: 'procedural-image', prompt: 'a lighthouse', resolution: '480p' },
  })
  expect(answer.isError, JSON.stringify(answer.content)).toBeFalsy()
  expect(await jobs()).toMatchObject([{ status: 'completed' }])
})

test('genmount mcp refuses a --max-cost that is no number', async () => {
  const { exit, stderr } = await genmount(['mcp', '--max-cost', 'much'])
  expect([exit, stderr]).toEqual([2, expect.stringContaining('--max-cost')])
})
