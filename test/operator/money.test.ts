import { limits } from '@genmount/core/limits'
import { operator } from '@genmount/operator'
import { fakeModels } from '@genmount/testing'
import { expect, test } from 'vitest'
import { operated, operatorKeys } from './operated.ts'

const dayMs = 24 * 60 * 60_000

test('usage adds up the jobs of all owners, of one, and by owner, in pages', async () => {
  const { ask, create, clock } = operated()
  await create({ cost_usd: 0.5 }, { owner: 'alice' })
  await create({ cost_usd: 0.25 }, { owner: 'bob' })
  await clock.advance(5000)
  expect((await ask('GET /v1/operator/usage')).json).toMatchObject({
    object: 'usage',
    jobs: 2,
    cost_usd: 0.75,
  })
  expect((await ask('GET /v1/operator/usage?owner=bob')).json).toMatchObject({ jobs: 1, cost_usd: 0.25 })
  const first = (await ask('GET /v1/operator/usage?group_by=owner,model&limit=1')).json
  expect(first).toMatchObject({ group_by: ['owner', 'model'], has_more: true })
  const second = (await ask(`GET /v1/operator/usage?group_by=owner,model&cursor=${first.next_cursor}`)).json
  expect([...first.data, ...second.data]).toMatchObject([
    { owner: 'alice', model: 'fake-image', cost_usd: 0.5 },
    { owner: 'bob', model: 'fake-image', cost_usd: 0.25 },
  ])
  const csv = await ask('GET /v1/operator/usage?group_by=owner&format=csv&limit=1').catch((error) => error)
  expect(String(csv)).toContain('JSON')
  expect((await ask('GET /v1/operator/usage?group_by=keys')).json.error.param).toBe('group_by')
})

test('clients can still not group their usage by owners, nor name another one', async () => {
  const { ask } = operated()
  for (const query of ['owner=bob', 'group_by=owner'])
    expect((await ask(`GET /v1/usage?${query}`, undefined, 'alice-key')).status).toBe(400)
})

test('budgets show what an owner has spent today and this month, reserved, been granted, and may spend', async () => {
  const most = { balance: true, spendUsdPerDay: 5, runningJobs: 7, key: { spendUsdPerMonth: 2 } }
  const { ask, service, clock, create } = operated({
    provider: { models: pricedModels() },
    plugins: [limits(most), operator({ authenticate: operatorKeys })],
  })
  await service.grant('alice', 3, { by: 'shop', why: 'order 1' })
  await create({ cost_usd: 0.5 })
  await clock.advance(5000)
  await create({ delay_ms: 600_000 })
  expect((await ask('GET /v1/operator/budgets?owner=alice')).json).toEqual({
    object: 'operator_budgets',
    owner: 'alice',
    as_of: expect.any(String),
    reserved_usd: 1,
    last_24_hours: { from: expect.any(String), spent_usd: 0.5, reserved_usd: 0 },
    today: { from: expect.stringMatching(/T00:00:00.000Z$/), spent_usd: 0.5, reserved_usd: 0 },
    month: { from: expect.stringMatching(/-01T00:00:00.000Z$/), spent_usd: 0.5, reserved_usd: 0 },
    granted_usd: 3,
    balance_usd: 1.5,
    limits: {
      usd_per_day: 5,
      usd_per_month: null,
      key: { usd_per_day: null, usd_per_month: 2 },
      has_balance: true,
      running_jobs: 7,
      requests_per_minute: null,
      stored_bytes: null,
    },
  })
  expect((await ask('GET /v1/operator/budgets')).json.error.param).toBe('owner')
})

test('what was spent yesterday evening stands beside the limit of 24 hours on the next day', async () => {
  const { ask, clock, create } = operated({
    provider: { models: pricedModels() },
    plugins: [limits({ spendUsdPerDay: 1 }), operator({ authenticate: operatorKeys })],
  })
  clock.set(clock.now() - (clock.now() % dayMs) + dayMs - 60_000)
  await create({ cost_usd: 1 })
  await clock.advance(5000)
  clock.set(clock.now() + 3_600_000)
  await expect(create({ cost_usd: 1 })).rejects.toMatchObject({ code: 'insufficient_quota' })
  expect((await ask('GET /v1/operator/budgets?owner=alice')).json).toMatchObject({
    last_24_hours: { spent_usd: 1 },
    today: { spent_usd: 0 },
    limits: { usd_per_day: 1 },
  })
})

function pricedModels() {
  return fakeModels.map((model) => ({ ...model, price: { text: '1 USD per image', usd: 1, per: 'image' } }))
}

test('a grant by an operator has the name and the reason, counts once, and stands in the audit log', async () => {
  const { ask, service } = operated()
  const body = { owner: 'alice', usd: 10, reason: 'invoice 7', id: 'invoice-7' }
  const { status, json } = await ask('POST /v1/operator/grants', body)
  expect(status).toBe(201)
  expect(json).toMatchObject({
    object: 'operator_act',
    act: { action: 'grant', by: 'maria', owner: 'alice', outcome: 'invoice-7', job: null },
    grant: { object: 'grant', id: 'invoice-7', owner: 'alice', usd: 10, by: 'maria', why: 'invoice 7' },
  })
  await ask('POST /v1/operator/grants', body)
  expect((await service.grants({ owner: 'alice' })).grants).toHaveLength(1)
  const other = await ask('POST /v1/operator/grants', { ...body, usd: 11 })
  expect([other.status, other.json.error.param]).toEqual([400, 'id'])
  await ask('POST /v1/operator/grants', { owner: 'bob', usd: -2, reason: 'too much' })
  const first = (await ask('GET /v1/operator/grants?limit=1')).json
  const second = (await ask(`GET /v1/operator/grants?cursor=${first.next_cursor}`)).json
  expect([...first.data, ...second.data].map(({ usd }) => usd).toSorted()).toEqual([-2, 10])
  expect((await ask('GET /v1/operator/grants?owner=bob')).json.data).toMatchObject([{ usd: -2 }])
})

test.each(['grants', 'audit'])(
  'a cursor of %s with an instant that no store has is refused',
  async (list) => {
    const { ask } = operated()
    for (const at of [1.5, 1e20, -1]) {
      const cursor = Buffer.from(JSON.stringify([at, 'x'])).toString('base64url')
      const { status, json } = await ask(`GET /v1/operator/${list}?cursor=${cursor}`)
      expect([status, json.error.param]).toEqual([400, 'cursor'])
    }
  },
)

test.each([
  [{ owner: 'alice', usd: 0 }, 'usd'],
  [{ owner: 'alice', usd: '10' }, 'usd'],
  [{ owner: 'alice', usd: 1e7 }, 'usd'],
  [{ owner: '', usd: 1 }, 'owner'],
  [{ usd: 1 }, 'owner'],
  [{ owner: 'alice', usd: 1, id: '' }, 'id'],
  [{ owner: 'alice', usd: 1, reason: undefined }, 'reason'],
])('a grant with the body %j is refused by its field %s', async (body, param) => {
  const { ask, service } = operated()
  const { status, json } = await ask('POST /v1/operator/grants', { reason: 'x', ...body })
  expect([status, json.error.param]).toEqual([400, param])
  expect((await service.grants()).grants).toEqual([])
})

test('the keys seen are listed by owner with their jobs, their cost and their last day', async () => {
  const { ask, create, clock } = operated()
  await create({ cost_usd: 0.5 }, { keyId: 'old' })
  await clock.advance(5000)
  clock.set(clock.now() + 31 * dayMs)
  await create({ cost_usd: 0.5 }, { keyId: 'key-1' })
  await create({ cost_usd: 0.25 }, { keyId: undefined, owner: 'bob' })
  await clock.advance(5000)
  clock.set(clock.now() + dayMs)
  await create({ cost_usd: 0.25 }, { keyId: 'key-1' })
  await create({ fail: 'provider_failed' }, { keyId: 'key-2' })
  await clock.advance(5000)
  const today = new Date(clock.now()).toISOString().slice(0, 10)
  const yesterday = new Date(clock.now() - dayMs).toISOString().slice(0, 10)
  const expected = [
    {
      object: 'operator_key',
      owner: 'alice',
      key: 'key-1',
      jobs: 2,
      failed: 0,
      cost_usd: 0.75,
      last_day: today,
    },
    {
      object: 'operator_key',
      owner: 'alice',
      key: 'key-2',
      jobs: 1,
      failed: 1,
      cost_usd: 0,
      last_day: today,
    },
    {
      object: 'operator_key',
      owner: 'bob',
      key: null,
      jobs: 1,
      failed: 0,
      cost_usd: 0.25,
      last_day: yesterday,
    },
  ]
  expect((await ask('GET /v1/operator/keys')).json.data).toEqual(expected)
  const first = (await ask('GET /v1/operator/keys?limit=1')).json
  const rest = (await ask(`GET /v1/operator/keys?cursor=${first.next_cursor}`)).json
  expect([...first.data, ...rest.data]).toEqual(expected)
  expect((await ask('GET /v1/operator/keys?owner=bob')).json.data).toEqual(expected.slice(2))
})

test('without the plugins usage and limits, their routes say so', async () => {
  const { ask } = operated({ plugins: [operator({ authenticate: operatorKeys })] })
  expect((await ask('GET /v1/operator/usage')).code).toBe('not_supported')
  expect((await ask('GET /v1/operator/grants')).code).toBe('not_supported')
  const grant = { owner: 'alice', usd: 1, reason: 'x' }
  expect((await ask('POST /v1/operator/grants', grant)).code).toBe('not_supported')
  const test = { url: 'https://a.example/', reason: 'x' }
  expect((await ask('POST /v1/operator/webhook-tests', test)).code).toBe('not_supported')
  expect((await ask('GET /v1/operator/audit')).json.data).toEqual([])
  expect((await ask('GET /v1/operator/budgets?owner=alice')).json.limits).toBeNull()
})
