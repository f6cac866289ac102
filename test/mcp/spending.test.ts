import { createClient } from '@genmount/client'
import { sqliteBackend } from '@genmount/backend-sqlite'
import { createGenerationService } from '@genmount/core'
import { limits } from '@genmount/core/limits'
import { apiKeys, toFetchHandler } from '@genmount/fetch-handler'
import { toMcpHandler } from '@genmount/mcp'
import { quietLog } from '@genmount/testing'
import type { CallToolResult } from '@modelcontextprotocol/client'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { temporaryFolder } from '../temporary-folder.ts'
import { call, shownJob, textOf } from './call.ts'
import { modernRequest } from './modern-request.ts'
import { keys, mcpService, painter } from './servers/mcp-service.ts'
import { inProcess, start } from './servers/start-on-node.ts'

type ServiceHandler = (request: Request) => Response | Promise<Response>

const kite = { model: 'fake-image', prompt: 'a kite' }
const usedUp = /^insufficient_quota: The jobs of this key may cost/

/** What the tool says when an endpoint is to paint a picture for 0.25 US dollars. */
async function painted(
  mcp: (request: Request) => Response | Promise<Response>,
  headers: Record<string, string> = { authorization: `Bearer ${keys.alice}` },
): Promise<string> {
  const params = { name: 'generate_image', arguments: { model: 'painter', prompt: 'a kite' } }
  const response = await mcp(modernRequest('tools/call', params, headers))
  return textOf(((await response.json()) as { result: CallToolResult }).result)
}

test('all clients with one API key share the limit of maxCostUsd, and another key has its own limit', async () => {
  const { connect, provider } = await start({ maxCostUsd: 0.5 })
  const [client, again, bob] = [await connect(), await connect(), await connect(keys.bob)]
  const painting = { model: 'painter', prompt: 'a kite' }
  expect((await call(client, 'generate_image', painting)).isError ?? false).toBe(false)
  const three = await call(client, 'generate_image', { ...painting, num_outputs: 3 })
  expect(textOf(three)).toMatch(/^insufficient_quota: .*0\.50 US dollars.*0\.25 are spent.*may cost 0\.75/)
  expect((await call(again, 'generate_image', painting)).isError ?? false).toBe(false)
  for (const args of [painting, kite]) expect((await call(again, 'generate_image', args)).isError).toBe(true)
  expect(provider.ledger).toHaveLength(0)
  expect((await call(bob, 'generate_image', painting)).isError ?? false).toBe(false)
})

test('under a spending limit a model whose price is not known before its jobs have run is refused in words', async () => {
  const { connect, provider } = await start({ maxCostUsd: 0.5 })
  const result = await call(await connect(), 'generate_image', kite)
  expect(textOf(result)).toMatch(
    /^insufficient_quota: The model fake-image has no price that is known before/,
  )
  expect(provider.submits).toEqual([])
})

test('a call that is repeated with its idempotency key does not count against the spending limit again', async () => {
  const { connect } = await start({ maxCostUsd: 0.25 })
  const client = await connect()
  const idsOf = async (name: string, args: object) => {
    const results = [await call(client, name, args), await call(client, name, args)]
    return results.map((result) => shownJob(result).job_id ?? textOf(result))
  }
  const painting = { model: 'painter', prompt: 'a kite', idempotency_key: 'b' }
  const [first, repeated] = await idsOf('generate_image', painting)
  expect(first).toMatch(/^gen_/)
  expect(repeated).toBe(first)
  const other = { model: 'painter', prompt: 'a kite', idempotency_key: 'c' }
  expect(textOf(await call(client, 'generate_image', other))).toMatch(usedUp)
})

test('several MCP endpoints of one service share its spending limit, as several processes and a restarted one do', async () => {
  const { v1, mcp } = inProcess({ maxCostUsd: 0.5 })
  const endpoints = [mcp, toMcpHandler(v1, { maxCostUsd: 0.5 }), toMcpHandler(v1, { maxCostUsd: 0.5 })]
  const paint = (endpoint = mcp, key = keys.alice) => painted(endpoint, { authorization: `Bearer ${key}` })
  expect(await paint(endpoints[0])).toMatch(/has completed/)
  expect(await paint(endpoints[1])).toMatch(/has completed/)
  for (const endpoint of endpoints)
    expect(await paint(endpoint)).toMatch(/^insufficient_quota: .*24 hours.*0\.50 are spent/)
  expect(await paint(endpoints[2], keys.bob)).toMatch(/has completed/)
})

test('the spending limit holds for creates at the same time', async () => {
  const { connect } = await start({ maxCostUsd: 0.5 })
  const client = await connect()
  const painting = { model: 'painter', prompt: 'a kite' }
  const results = await Promise.all([1, 2, 3, 4].map(() => call(client, 'generate_image', painting)))
  expect(results.filter(({ isError }) => isError).map(textOf)).toEqual(
    [1, 2].map(() => expect.stringMatching(usedUp)),
  )
})

test('the spending limit counts all jobs of the key in the last 24 hours, whoever made them', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  onTestFinished(() => void vi.useRealTimers())
  const { connect, baseUrl } = await start({ maxCostUsd: 0.5 })
  const client = await connect()
  const painting = { model: 'painter', prompt: 'a kite' }
  await createClient({ baseUrl, apiKey: keys.alice }).generate(painting)
  const paint = async () => textOf(await call(client, 'generate_image', painting))
  expect(await paint()).toMatch(/has completed/)
  vi.setSystemTime(Date.now() + 86_000_000)
  expect(await paint()).toMatch(usedUp)
  vi.setSystemTime(Date.now() + 1_500_000)
  expect(await paint()).toMatch(/has completed/)
})

test('a finished job that its owner deletes still counts', async () => {
  const { connect, baseUrl } = await start({ maxCostUsd: 0.5 })
  const client = await connect()
  const owner = createClient({ baseUrl, apiKey: keys.alice })
  const made: string[] = []
  for (let n = 0; n < 4; n++) {
    const result = await call(client, 'generate_image', { model: 'painter', prompt: 'a kite' })
    if (result.isError) continue
    const { job_id } = shownJob(result)
    made.push(String(job_id))
    await owner.delete(String(job_id))
  }
  expect(made).toHaveLength(2)
  expect(await owner.listPage()).toMatchObject({ data: [] })
})

test('two processes and their successors together never make more than the limit allows on one SQLite file', async () => {
  const file = join(temporaryFolder(), 'jobs.db')
  const ran: string[] = []
  for (let life = 0; life < 2; life++) {
    const both = await Promise.all(
      [1, 2].map(async () => {
        const { mcp, service } = mcpService({ maxCostUsd: 0.75 }, { backend: sqliteBackend({ file }) })
        await service.ready()
        const texts = await Promise.all(Array.from({ length: 4 }, () => painted(mcp)))
        return { texts, service }
      }),
    )
    for (const { texts, service } of both) {
      ran.push(...texts)
      await service.close()
    }
  }
  expect(ran.filter((text) => text.includes('has completed'))).toHaveLength(3)
  expect(ran.filter((text) => usedUp.test(text))).toHaveLength(13)
})

test.each([
  ['the service itself', (v1: ServiceHandler) => v1],
  ['copies of its requests', (v1: ServiceHandler) => (request: Request) => v1(new Request(request))],
])(
  'ten spellings of one API key share the limit of maxCostUsd, also at the same time: %s',
  async (_what, mount) => {
    const { v1 } = inProcess()
    const mcp = toMcpHandler(mount(v1), { maxCostUsd: 0.75 })
    const schemes = ['Bearer', 'bearer', 'BEARER', 'bEARER', 'BeArEr']
    const spellings = schemes.flatMap((scheme) => [`${scheme} ${keys.alice}`, `${scheme}  ${keys.alice}`])
    const texts = await Promise.all(spellings.map((authorization) => painted(mcp, { authorization })))
    expect(texts.filter((text) => text.includes('has completed'))).toHaveLength(3)
    expect(texts.filter((text) => usedUp.test(text))).toHaveLength(7)
  },
)

test('tools with a spending limit make no job with a service that does not hold it', async () => {
  const { v1, service } = inProcess({}, { plugins: [] })
  const mcp = toMcpHandler(v1, { maxCostUsd: 5 })
  expect(await painted(mcp)).toMatch(
    /^spending_limit: The service can not hold the spending limit.*plugin limits/,
  )
  // A release without estimates reads neither the query nor the header.
  const ofOlderRelease = (request: Request) => {
    const url = request.url.replace('?dry_run=true', '')
    const older = new Request(url, request)
    older.headers.delete('x-spend-usd-per-day')
    return v1(older)
  }
  const onOlder = toMcpHandler(ofOlderRelease, { maxCostUsd: 5 })
  expect(await painted(onOlder)).toMatch(/^spending_limit: /)
  expect(await service.list({ owner: 'alice' })).toMatchObject({ jobs: [] })
})

test('with dry_run a tool says what the job would cost and whether it would be accepted, and makes none', async () => {
  const { connect, baseUrl } = await start({ maxCostUsd: 0.6 })
  const client = await connect()
  const dryRun = (num_outputs: number) =>
    call(client, 'generate_image', { model: 'painter', prompt: 'a kite', num_outputs, dry_run: true })
  const fits = await dryRun(2)
  expect(textOf(fits)).toBe(
    'No job was made. It would cost about 0.5 USD (0.25 USD per image). 0.1 USD of the budget would be left.',
  )
  expect(fits.structuredContent).toEqual({
    model: 'painter',
    cost_usd: 0.5,
    price: '0.25 USD per image',
    accepted: true,
    error: null,
    budget_remaining_usd: 0.1,
  })
  const tooMuch = await dryRun(4)
  expect(textOf(tooMuch)).toMatch(/about 1 USD .*would refuse it now: insufficient_quota: .*0\.60 US dollars/)
  expect(tooMuch.structuredContent).toMatchObject({ accepted: false, cost_usd: 1 })
  expect(await createClient({ baseUrl, apiKey: keys.alice }).listPage()).toMatchObject({ data: [] })
})

test('each API key has a limit of maxCostUsd of its own, and keys without an id share that of their owner', async () => {
  const byKey = apiKeys({ alice: [keys.alice, 'second-key-of-alice'] })
  const byOwner = (token: string) => {
    const identity = byKey(token)
    return identity && { owner: identity.owner }
  }
  const made = async (authenticate: typeof byKey | typeof byOwner) => {
    const service = createGenerationService({
      providers: [painter],
      plugins: [limits({})],
      log: quietLog(),
    })
    onTestFinished(async () => void (await service.close()))
    const mcp = toMcpHandler(toFetchHandler(service, { authenticate }), { maxCostUsd: 0.25 })
    const tokens = [keys.alice, keys.alice, 'second-key-of-alice', 'second-key-of-alice']
    const texts = await Promise.all(tokens.map((key) => painted(mcp, { authorization: `Bearer ${key}` })))
    return texts.filter((text) => text.includes('has completed')).length
  }
  expect(await made(byKey)).toBe(2)
  expect(await made(byOwner)).toBe(1)
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
