import { toMcpHandler } from '@genmount/mcp'
import { expect, onTestFinished, test, vi } from 'vitest'
import { call, shownJob, textOf } from './mcp-suite.ts'
import { modernRequest } from './modern-request.ts'
import { keys } from './servers/mcp-service.ts'
import { start } from './servers/started.ts'

vi.setConfig({ testTimeout: 60_000 })

const kite = { model: 'fake-image', prompt: 'a kite' }
const slowFilm = { prompt: 'a kite flies', delay_ms: 600_000 }

test('a session spends no more than its limit, and others have limits of their own', async () => {
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

test('no two jobs whose price is not known run at once under a limit', async () => {
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

test('a call that is repeated with its idempotency key needs no room in the limit', async () => {
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

test('1,000 users are 1,000 sessions at most, and a place is free when one has been idle', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  onTestFinished(() => void vi.useRealTimers())
  const models = (_: Request) => Response.json({ data: [] })
  const handle = toMcpHandler(models, { maxCostUsd: 1, maxSessions: 1000, sessionIdleMs: 60_000 })
  const statusOf = async (user: number) =>
    (await handle(modernRequest('tools/list', {}, { authorization: `Bearer ${user}` }))).status
  for (let user = 0; user < 1000; user++) expect(await statusOf(user)).toBe(200)
  expect(await statusOf(1000)).toBe(503)
  expect(await statusOf(7)).toBe(200)
  vi.setSystemTime(Date.now() + 59_000)
  expect(await statusOf(7)).toBe(200)
  expect(await statusOf(1000)).toBe(503)
  vi.setSystemTime(Date.now() + 1000)
  expect(await statusOf(1000)).toBe(200)
  // The 999 that were idle are gone, and 7 is still there.
  for (let user = 1001; user < 1999; user++) expect(await statusOf(user)).toBe(200)
  expect(await statusOf(1999)).toBe(503)
})
