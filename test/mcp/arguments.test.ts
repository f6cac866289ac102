import { createGenerationService } from '@genmount/core'
import { apiKeys, toFetchHandler } from '@genmount/fetch-handler'
import { toMcpHandler } from '@genmount/mcp'
import { quietLog } from '@genmount/testing'
import type { CallToolResult } from '@modelcontextprotocol/client'
import { expect, onTestFinished, test } from 'vitest'
import { statelessProvider } from '../attacks/server/stateless-provider.ts'
import { call, textOf } from './call.ts'
import { modernRequest } from './modern-request.ts'
import { keys } from './servers/mcp-service.ts'
import { start } from './servers/start-on-node.ts'

const kite = { model: 'fake-image', prompt: 'a kite' }

test.each([
  ['generate_image', { ...kite, webhook_url: 'https://evil.example/' }, 'webhook_url'],
  ['generate_image', { ...kite, webhook_events: ['job.completed'] }, 'webhook_events'],
  ['generate_image', { ...kite, callback: 'https://evil.example/' }, 'callback'],
  ['generate_image', { ...kite, webhook_url: null }, 'webhook_url'],
  ['get_job', { job_id: 'gen_none', webhook_url: 'https://evil.example/' }, 'webhook_url'],
  ['get_job', { job_id: 'gen_none', idempotency_key: 'a' }, 'idempotency_key'],
  ['cancel_job', { job_id: 'gen_none', reason: 'late' }, 'reason'],
  ['list_models', { cursor: 'a' }, 'cursor'],
] as const)('%s refuses %o and names the field that it does not take', async (name, args, field) => {
  const { connect, provider } = await start()
  const result = await call(await connect(), name, args)
  expect(result.isError).toBe(true)
  expect(textOf(result)).toMatch(new RegExp(`^invalid_request: .*\\b${field}\\b`))
  expect(provider.ledger).toHaveLength(0)
})

test('an agent cannot have the results of a job sent elsewhere, although its model tells no schema', async () => {
  const service = createGenerationService({
    providers: [statelessProvider()],
    log: quietLog(),
  })
  onTestFinished(async () => void (await service.close()))
  const mcp = toMcpHandler(toFetchHandler(service, { authenticate: apiKeys(keys) }))
  const textFor = async (fields: object) => {
    const params = { name: 'generate_video', arguments: { prompt: 'a kite', wait: false, ...fields } }
    const response = await mcp(modernRequest('tools/call', params, { authorization: `Bearer ${keys.alice}` }))
    return textOf(((await response.json()) as { result: CallToolResult }).result)
  }
  for (const field of ['webhook_url', 'webhook_events'])
    expect(await textFor({ [field]: 'https://evil.example/' })).toMatch(`invalid_request: `)
  expect(await textFor({ seed: 7 })).toMatch(/gen_/)
})
