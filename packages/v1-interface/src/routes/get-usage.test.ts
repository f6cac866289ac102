import { callbacks } from '@genmount/core/callbacks'
import { limits } from '@genmount/core/limits'
import { usage } from '@genmount/core/usage'
import { type FakeBehaviour, fakeWorld } from '@genmount/testing'
import { expect, test } from 'vitest'
import { setUp } from '../test-kit/set-up.ts'

const day = 24 * 3_600_000

/** A service with `usage`, behind the interface. Its clock begins at the first instant of 2026. */
function metered(first: FakeBehaviour = { costUsd: 0.25 }, ...others: readonly FakeBehaviour[]) {
  const plugins = [
    usage(),
    callbacks({ baseUrl: 'https://app.example' }),
    limits({ spendUsdPerDay: 100 }, { reserveUsd: { 'fake-image': 2, 'fake-video': 2 } }),
  ]
  const world = fakeWorld({ behave: [first, ...others] }, { plugins, retentionDays: 1 })
  const { ask } = setUp({ service: world.service })
  const get = async (query = '', headers: Record<string, string> = {}) =>
    ask(`GET /m/v1/usage${query}`, undefined, headers)
  return { ...world, get }
}

const bob = { authorization: 'Bearer bob-key' }

test("usage adds up the jobs of the key's owner in this month, also those that are long deleted", async () => {
  const { get, create, clock } = metered(
    { costUsd: 0.1 },
    { failure: { code: 'provider_failed' }, costUsd: 0.2 },
  )
  await create()
  await create()
  await create({ prompt: 'secret' }, { owner: 'bob' })
  // They are deleted after a day.
  await clock.advance(1.1 * day)
  expect(await get()).toMatchObject({
    status: 200,
    headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
  })
  const sums = {
    jobs: 2,
    failed: 1,
    outputs: 1,
    seconds: 0,
    cost_usd: 0.3,
    unknown_costs: 0,
    reserved_usd: 0,
  }
  expect((await get()).json).toEqual({
    object: 'usage',
    from: '2026-01-01T00:00:00.000Z',
    to: '2026-01-03T00:00:00.000Z',
    ...sums,
    group_by: [],
    data: [sums],
    has_more: false,
    next_cursor: null,
  })
  expect((await get('?from=2026-01-02')).json).toMatchObject({ jobs: 0, data: [] })
})

test('usage shows what is reserved for unfinished jobs now, and for jobs with an unknown cost in the time', async () => {
  const { get, create, clock } = metered({ answer: 'reset', delayMs: 1000 }, { delayMs: 40 * day })
  await create()
  await clock.advance(10 * 60_000)
  await create()
  expect((await get('?group_by=model')).json).toMatchObject({
    jobs: 1,
    unknown_costs: 1,
    cost_usd: 0,
    reserved_usd: 4,
    data: [{ model: 'fake-image', reserved_usd: 2 }],
  })
  expect((await get('', bob)).json).toMatchObject({ jobs: 0, reserved_usd: 0 })
})

test('usage is grouped by day, model and key, in pages', async () => {
  const { get, create, clock } = metered()
  for (const [model, keyId] of [
    ['fake-image', 'k1'],
    ['fake-video', 'k1'],
    ['fake-image', undefined],
  ] as const) {
    await create({ prompt: 'a fox' }, { model, ...(keyId !== undefined && { keyId }) })
    await clock.advance(day)
  }
  const rows = async (query: string) =>
    (await get(query)).json.data.map((row: Record<string, unknown>) => [
      row['day'],
      row['model'],
      row['key'],
      row['jobs'],
    ])
  expect(await rows('?group_by=model')).toEqual([
    [undefined, 'fake-image', undefined, 2],
    [undefined, 'fake-video', undefined, 1],
  ])
  expect(await rows('?group_by=key')).toEqual([
    [undefined, undefined, null, 1],
    [undefined, undefined, 'k1', 2],
  ])
  const all = [
    ['2026-01-01', 'fake-image', 'k1', 1],
    ['2026-01-02', 'fake-video', 'k1', 1],
    ['2026-01-03', 'fake-image', null, 1],
  ]
  expect(await rows('?group_by=key,day,model')).toEqual(all)
  const paged: unknown[] = []
  for (let cursor: string | null = ''; cursor !== null;) {
    const query: string = `?group_by=key,day,model&limit=1${cursor && `&cursor=${cursor}`}`
    const { json } = await get(query)
    expect(json).toMatchObject({ jobs: 3, has_more: json.next_cursor !== null })
    paged.push(...(await rows(query)))
    cursor = json.next_cursor
  }
  expect(paged).toEqual(all)
})

test('usage counts the jobs of a part of a day, and instants with an offset', async () => {
  const { get, create, clock } = metered()
  for (let hour = 0; hour < 4; hour++) {
    await create()
    await clock.advance(3_600_000)
  }
  const jobs = async (query: string) => (await get(query)).json.jobs
  expect(await jobs('?from=2026-01-01T01:00:00Z')).toBe(3)
  expect(await jobs('?from=2026-01-01T02:00:00%2B01:00&to=2026-01-01T02:30:00Z')).toBe(2)
  expect(await jobs('?from=2026-01-01&to=2026-01-01')).toBe(0)
  expect(await jobs('?from=2025-12-31&to=2026-01-02')).toBe(4)
})

test('no query shows an owner the sums of another, and no cursor either', async () => {
  const { get, create, clock } = metered()
  for (const keyId of ['k1', 'k2']) await create({ prompt: 'a fox' }, { keyId })
  await clock.advance(1000)
  const page = await get('?group_by=key&limit=1')
  const cursor = page.json.next_cursor
  for (const query of [
    '',
    '?group_by=key',
    `?group_by=key&cursor=${cursor}`,
    '?group_by=day,model,key&format=csv',
  ]) {
    const answer = await get(query, bob)
    expect(answer.status).toBe(200)
    expect(String(answer.body)).not.toMatch(/k[12]|fake-image|0\.25/)
  }
  for (const query of ['?owner=alice', '?group_by=owner', '?group_by=owner,day', '?key=k1'])
    expect(await get(query, bob), query).toMatchObject({
      status: 400,
      json: { error: { code: 'invalid_request' } },
    })
})

test.each([
  ['from=2026-02-30', 'from', 'a UTC day such as 2026-11-01'],
  ['from=yesterday', 'from', 'RFC 3339'],
  ['from=2026-01-01T00:00:00', 'from', 'RFC 3339'],
  ['to=1767225600000', 'to', 'RFC 3339'],
  ['from=2026-01-02&to=2026-01-01', 'from', 'not be later than to'],
  ['from=2026-01-02&from=2026-01-03', 'from', 'only once'],
  ['group_by=', 'group_by', 'day, model, key'],
  ['group_by=day,day', 'group_by', 'each once'],
  ['group_by=constructor', 'group_by', 'day, model, key'],
  ['limit=0', 'limit', 'from 1 to 1000'],
  ['limit=1001', 'limit', 'from 1 to 1000'],
  ['cursor=x', 'cursor', 'next_cursor'],
  ['cursor=W251bGwsbnVsbCwxXQ', 'cursor', 'next_cursor'],
  // A day that begins a millisecond too late, which no store has.
  ['cursor=WzEsbnVsbCxudWxsXQ', 'cursor', 'next_cursor'],
  ['format=xml', 'format', 'json or csv'],
  ['fron=2026-01-01', 'fron', 'the parameters are from, to'],
])('usage refuses ?%s, and names the parameter and what is accepted', async (query, param, words) => {
  const { get } = metered()
  const { status, json } = await get(`?${query}`)
  expect([status, json.error.param]).toEqual([400, param])
  expect(json.error.message).toContain(words)
})

test('usage is CSV if the request asks for it, with a link to the next page', async () => {
  const { get, create, clock } = metered()
  for (const keyId of ['k1', 'k2']) await create({ prompt: 'a fox' }, { keyId })
  await clock.advance(1000)
  const head = 'jobs,failed,outputs,seconds,cost_usd,unknown_costs,reserved_usd'
  const plain = await get('', { accept: 'text/csv, application/json;q=0.5' })
  expect(plain.body).toBe(`${head}\r\n2,0,2,0,0.5,0,0\r\n`)
  expect(plain.headers).toMatchObject({ 'content-type': expect.stringMatching(/^text\/csv;/) })
  expect((await get('?format=json', { accept: 'text/csv' })).json.jobs).toBe(2)
  const first = await get('?group_by=key,day&format=csv&limit=1')
  expect(first.body).toBe(`key,day,${head}\r\nk1,2026-01-01,1,0,1,0,0.25,0,0\r\n`)
  const [, next = ''] =
    /^<http:\/\/media\.test\/m\/v1\/usage(\?.*)>; rel="next"$/.exec(first.headers['link']!) ?? []
  const second = await get(next)
  expect(second.body).toBe(`key,day,${head}\r\nk2,2026-01-01,1,0,1,0,0.25,0,0\r\n`)
  expect(second.headers['link']).toBeUndefined()
})

test('a name that a spreadsheet would run as a formula is a text in CSV', async () => {
  const { get, create, clock } = metered()
  const names = ['=1+1', '+1', '-1', '@SUM(A1)', 'say "hi", please']
  for (const keyId of names) await create({ prompt: 'a fox' }, { keyId })
  await clock.advance(1000)
  const { body } = await get('?group_by=key&format=csv')
  const cells = String(body)
    .split('\r\n')
    .slice(1, -1)
    .map((line) => line.replace(/,1,0,1,0,0\.25,0,0$/, ''))
  expect(cells.toSorted()).toEqual(["'=1+1", "'+1", "'-1", "'@SUM(A1)", '"say ""hi"", please"'].toSorted())
})

test('usage counts as a request, needs a key, and is not there without the plugin', async () => {
  const plugins = [usage(), limits({ requestsPerMinute: 2 })]
  const { service } = fakeWorld({}, { plugins })
  const { ask } = setUp({ service })
  expect((await ask('GET /m/v1/usage', undefined, { authorization: '' })).status).toBe(401)
  const statuses = []
  for (let request = 0; request < 3; request++) statuses.push((await ask('GET /m/v1/usage')).status)
  expect(statuses).toEqual([200, 200, 429])
  expect((await ask('POST /m/v1/usage', {}, { authorization: 'Bearer bob-key' })).status).toBe(405)
  expect((await setUp().ask('GET /m/v1/usage')).status).toBe(404)
})

test('the OpenAPI document describes usage, with the errors of every route with a key', async () => {
  const { service } = fakeWorld({}, { plugins: [usage()] })
  const { paths } = (await setUp({ service }).ask('GET /m/v1/openapi.json')).json
  expect(Object.keys(paths['/v1/usage'].get.responses)).toEqual([
    '200',
    '400',
    '401',
    '403',
    '429',
    '500',
    '503',
  ])
})
