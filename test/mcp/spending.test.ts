import { createClient } from '@genmount/client'
import { createGenerationService } from '@genmount/core'
import { apiKeys, toFetchHandler } from '@genmount/fetch-handler'
import { toMcpHandler } from '@genmount/mcp'
import { quietLog } from '@genmount/testing'
import type { CallToolResult } from '@modelcontextprotocol/client'
import { expect, onTestFinished, test, vi } from 'vitest'
import { call, shownJob, textOf } from './call.ts'
import { modernRequest } from './modern-request.ts'
import { keys, painter } from './servers/mcp-service.ts'
import { inProcess, start } from './servers/start-on-node.ts'

const kite = { model: 'fake-image', prompt: 'a kite' }
const slowFilm = { prompt: 'a kite flies', delay_ms: 600_000 }

test('all clients with one API key share the limit of maxCostUsd, and another key has its own limit', async () => {
  const { connect, provider } = await start({ maxCostUsd: 0.5 })
  const [client, again, bob] = [await connect(), await connect(), await connect(keys.bob)]
  const painting = { model: 'painter', prompt: 'a kite' }
  expect((await call(client, 'generate_image', painting)).isError ?? false).toBe(false)
  const three = await call(client, 'generate_image', { ...painting, num_outputs: 3 })
  expect(textOf(three)).toMatch(/^spending_limit: .*0\.5 USD.*0\.25 USD are spent.*would cost 0\.75 USD/)
  expect((await call(again, 'generate_image', painting)).isError ?? false).toBe(false)
  for (const args of [painting, kite]) expect((await call(again, 'generate_image', args)).isError).toBe(true)
  expect(provider.ledger).toHaveLength(0)
  expect((await call(bob, 'generate_image', painting)).isError ?? false).toBe(false)
})

test('under a spending limit only one job whose price is not known runs at a time', async () => {
  const { connect } = await start({ maxCostUsd: 0.5 })
  const client = await connect()
  const [film, ...others] = await Promise.all(
    [1, 2, 3].map(() => call(client, 'generate_video', { ...slowFilm, wait: false })),
  ).then((results) => results.toSorted((a, b) => Number(a.isError ?? false) - Number(b.isError ?? false)))
  expect(others.map(textOf)).toEqual(
    [1, 2].map(() => expect.stringMatching(/^spending_limit: .*not known yet/)),
  )
  await call(client, 'cancel_job', { job_id: shownJob(film!).job_id })
  const next = await call(client, 'generate_video', { prompt: 'a kite', cost_usd: 3 })
  expect(next.isError ?? false).toBe(false)
  expect(textOf(await call(client, 'generate_video', { prompt: 'a kite' }))).toMatch(
    /^spending_limit: .*3 USD are spent/,
  )
})

test('a call that is repeated with its idempotency key does not count against the spending limit again', async () => {
  const { connect } = await start({ maxCostUsd: 0.25 })
  const client = await connect()
  const idsOf = async (name: string, args: object) => {
    const results = [await call(client, name, args), await call(client, name, args)]
    return results.map((result) => shownJob(result).job_id ?? textOf(result))
  }
  for (const [name, args] of [
    ['generate_video', { ...slowFilm, wait: false, idempotency_key: 'a' }],
    ['generate_image', { model: 'painter', prompt: 'a kite', idempotency_key: 'b' }],
  ] as const) {
    const [first, repeated] = await idsOf(name, args)
    expect(first).toMatch(/^gen_/)
    expect(repeated).toBe(first)
  }
  const other = { model: 'painter', prompt: 'a kite', idempotency_key: 'c' }
  expect(textOf(await call(client, 'generate_image', other))).toMatch(/^spending_limit: /)
})

test('metadata that contain the idempotency key of a later call do not exempt that call from the spending limit', async () => {
  const { connect } = await start({ maxCostUsd: 0.25 })
  const client = await connect()
  const painting = { model: 'painter', prompt: 'a kite' }
  const metadata = { mcp_idempotency_key: 'later', album: '7' }
  const first = await call(client, 'generate_image', { ...painting, metadata })
  expect(textOf(first)).toMatch(/has completed/)
  const later = await call(client, 'generate_image', { ...painting, idempotency_key: 'later' })
  expect(textOf(later)).toMatch(/^spending_limit: /)
})

test('several MCP endpoints of one service share its spending limit, as several processes and a restarted one do', async () => {
  const { v1, mcp } = inProcess({ maxCostUsd: 0.5 })
  const endpoints = [mcp, toMcpHandler(v1, { maxCostUsd: 0.5 }), toMcpHandler(v1, { maxCostUsd: 0.5 })]
  const paint = async (endpoint = mcp, key = keys.alice) => {
    const params = { name: 'generate_image', arguments: { model: 'painter', prompt: 'a kite' } }
    const response = await endpoint(modernRequest('tools/call', params, { authorization: `Bearer ${key}` }))
    return textOf(((await response.json()) as { result: CallToolResult }).result)
  }
  expect(await paint(endpoints[0])).toMatch(/has completed/)
  expect(await paint(endpoints[1])).toMatch(/has completed/)
  for (const endpoint of endpoints)
    expect(await paint(endpoint)).toMatch(/^spending_limit: .*24 hours.*0\.5 USD are spent/)
  expect(await paint(endpoints[2], keys.bob)).toMatch(/has completed/)
})

test('the spending limit holds for creates at the same time', async () => {
  const { connect } = await start({ maxCostUsd: 0.5 })
  const client = await connect()
  const painting = { model: 'painter', prompt: 'a kite' }
  const results = await Promise.all([1, 2, 3, 4].map(() => call(client, 'generate_image', painting)))
  expect(results.filter(({ isError }) => isError).map(textOf)).toEqual(
    [1, 2].map(() => expect.stringMatching(/^spending_limit: /)),
  )
})

test('the spending limit counts only what agents have created in the last 24 hours', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  onTestFinished(() => void vi.useRealTimers())
  const { connect, baseUrl } = await start({ maxCostUsd: 0.25 })
  const client = await connect()
  const painting = { model: 'painter', prompt: 'a kite' }
  await createClient({ baseUrl, apiKey: keys.alice }).generate({ ...painting, num_outputs: 4 })
  const paint = async () => textOf(await call(client, 'generate_image', painting))
  expect(await paint()).toMatch(/has completed/)
  vi.setSystemTime(Date.now() + 86_000_000)
  expect(await paint()).toMatch(/^spending_limit: /)
  vi.setSystemTime(Date.now() + 500_000)
  expect(await paint()).toMatch(/has completed/)
})

test('ten spellings of one API key share the limit of maxCostUsd, also at the same time', async () => {
  const { handle } = inProcess({ maxCostUsd: 0.75 })
  const params = { name: 'generate_image', arguments: { model: 'painter', prompt: 'a kite' } }
  const schemes = ['Bearer', 'bearer', 'BEARER', 'bEARER', 'BeArEr']
  const spellings = schemes.flatMap((scheme) => [`${scheme} ${keys.alice}`, `${scheme}  ${keys.alice}`])
  const texts = await Promise.all(
    spellings.map(async (authorization) => {
      const response = await handle(modernRequest('tools/call', params, { authorization }))
      return textOf(((await response.json()) as { result: CallToolResult }).result)
    }),
  )
  expect(texts.filter((text) => text.includes('has completed'))).toHaveLength(3)
  expect(texts.filter((text) => text.startsWith('spending_limit: '))).toHaveLength(7)
})

test('two API keys of one owner share the limit of maxCostUsd, also at the same time', async () => {
  const owners = apiKeys({ alice: [keys.alice, 'second-key-of-alice'] })
  const service = createGenerationService({ providers: [painter], log: quietLog() })
  onTestFinished(async () => void (await service.close()))
  const mcp = toMcpHandler(toFetchHandler(service, { authenticate: owners }), { maxCostUsd: 0.25 })
  const params = { name: 'generate_image', arguments: { prompt: 'a kite' } }
  const texts = await Promise.all(
    [keys.alice, 'second-key-of-alice'].map(async (key) => {
      const response = await mcp(modernRequest('tools/call', params, { authorization: `Bearer ${key}` }))
      return textOf(((await response.json()) as { result: CallToolResult }).result)
    }),
  )
  expect(texts.filter((text) => text.startsWith('spending_limit: '))).toHaveLength(1)
})

test.each([{}, { maxCostUsd: 1 }])('a call whose metadata is null makes its job (%o)', async (options) => {
  const { connect } = await start(options)
  const result = await call(await connect(), 'generate_image', {
    model: 'painter',
    prompt: 'a kite',
    metadata: null,
  })
  expect(textOf(result)).toMatch(/has completed/)
})
