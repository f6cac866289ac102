import { fakeProvider } from '@genmount/testing'
import { expect, test } from 'vitest'
import { operated } from './operated.ts'

const idsOf = (json: { readonly data: readonly { readonly id: string }[] }) => json.data.map(({ id }) => id)

test('operators see the jobs of all owners, the newest first, in pages', async () => {
  const { ask, create, clock } = operated()
  const ids: string[] = []
  for (const owner of ['alice', 'bob', 'carol', 'alice']) {
    ids.unshift((await create({ delay_ms: 60_000 }, { owner })).id)
    await clock.advance(5)
  }
  const first = (await ask('GET /v1/operator/jobs?limit=3')).json
  expect(first).toMatchObject({ object: 'list', has_more: true, next_cursor: expect.any(String) })
  const second = (await ask(`GET /v1/operator/jobs?limit=3&cursor=${first.next_cursor}`)).json
  expect(second).toMatchObject({ has_more: false, next_cursor: null })
  expect([...idsOf(first), ...idsOf(second)]).toEqual(ids)
  const alice = (await ask('GET /v1/operator/jobs?owner=alice')).json
  expect(idsOf(alice)).toEqual([ids[0], ids[3]])
})

test('operators find jobs by state, owner and model', async () => {
  const { ask, create, clock } = operated()
  const running = await create({ delay_ms: 600_000 })
  const video = await create({ delay_ms: 600_000 }, { model: 'fake-video', owner: 'bob' })
  const done = await create()
  const failed = await create({ fail: 'provider_failed' })
  await clock.advance(10_000)
  const found = async (query: string) => idsOf((await ask(`GET /v1/operator/jobs?${query}`)).json).toSorted()
  expect(await found('state=unfinished')).toEqual([running.id, video.id].toSorted())
  expect(await found('state=completed')).toEqual([done.id])
  expect(await found('state=failed')).toEqual([failed.id])
  expect(await found('state=owing')).toEqual([])
  expect(await found('model=fake-video')).toEqual([video.id])
  expect(await found('owner=bob&state=unfinished')).toEqual([video.id])
  const { json } = await ask(`GET /v1/operator/jobs/${running.id}`)
  expect(json).toMatchObject({ owner: 'alice', key: 'key-1', task_id: null, handle: { fakeTask: 1 } })
})

test.each(['task/77', { id: 'task/77', region: 'eu' }])(
  'operators find a job by the id %j of its task at the vendor',
  async (handle) => {
    const running = async () => ({ state: 'running' as const, handle })
    const provider = { ...fakeProvider(), submit: running, poll: running }
    const { ask, create, clock } = operated({ options: { providers: [provider] } })
    const { id } = await create()
    await clock.advance(5000)
    const found = async (query: string) => (await ask(`GET /v1/operator/jobs?${query}`)).json.data
    expect(await found('task_id=task%2F77')).toMatchObject([{ id, task_id: 'task/77', handle }])
    expect(await found('task_id=task%2F77&owner=bob')).toEqual([])
    expect(await found('task_id=nobody-has-it')).toEqual([])
  },
)

test('a job shows operators its input, its error, what it may cost and what can be done to it', async () => {
  const { ask, create, clock } = operated()
  const failed = await create({ fail: 'provider_rejected', fail_message: 'No credit.' })
  await clock.advance(10_000)
  const { json } = await ask(`GET /v1/operator/jobs/${failed.id}`)
  expect(json).toMatchObject({
    object: 'operator_job',
    id: failed.id,
    provider: 'fake',
    status: 'failed',
    phase: 'failed',
    waits_for: null,
    error: { code: 'provider_rejected', message: 'No credit.' },
    cost_usd: 0,
    input: { prompt: 'a fox' },
    deliveries: [],
    webhook: null,
    can: { cancel: false, delete: true, retry: true, deliver: false },
  })
  expect((await ask('GET /v1/operator/jobs/gen_nobody')).code).toBe('job_not_found')
})

test.each([
  ['limit=0', 'limit'],
  ['limit=101', 'limit'],
  ['state=running', 'state'],
  ['cursor=abc', 'cursor'],
  ['owner=', 'owner'],
  ['task_id=', 'task_id'],
  ['status=failed', 'status'],
  ['owner=a&owner=a', 'owner'],
])('a wrong parameter of the list is refused by its name: %s', async (query, param) => {
  const { ask } = operated()
  const { status, json } = await ask(`GET /v1/operator/jobs?${query}`)
  expect([status, json.error.param]).toEqual([400, param])
})

test('without a list of all owners the store still lists the jobs of one, and the overview says what is missing', async () => {
  const { ask, create } = operated({
    jobs: { listAll: undefined as never, findByTaskId: undefined as never, audit: undefined as never },
  })
  const { id } = await create({ delay_ms: 60_000 })
  expect(await ask('GET /v1/operator/jobs')).toMatchObject({ status: 501, code: 'not_supported' })
  expect((await ask('GET /v1/operator/jobs?task_id=x')).code).toBe('not_supported')
  expect(idsOf((await ask('GET /v1/operator/jobs?owner=alice')).json)).toEqual([id])
  expect((await ask(`POST /v1/operator/jobs/${id}/cancel`, { reason: 'x' })).code).toBe('not_supported')
  expect((await ask('GET /v1/operator')).json.features).toEqual({
    usage: true,
    grants: true,
    webhooks: true,
    audit: false,
    list: false,
    task_ids: false,
  })
})

test('the overview shows the providers, the store, the models and who asks', async () => {
  const { ask, create } = operated()
  await create({ delay_ms: 60_000 })
  expect((await ask('GET /v1/operator')).json).toEqual({
    object: 'operator_overview',
    operator: 'maria',
    as_of: expect.stringMatching(/^\d{4}-.*Z$/),
    status: 'ok',
    store: { is_reachable: true, latency_ms: expect.any(Number) },
    due: { count: expect.any(Number), oldest_lag_ms: expect.any(Number) },
    clock: { is_believed: expect.any(Boolean), believed_at: expect.anything() },
    waiters: 0,
    steps_under_way: expect.any(Number),
    providers: [{ name: 'fake', breaker: 'closed', steps_under_way: expect.any(Number), steps_waiting: 0 }],
    features: { usage: true, grants: true, webhooks: true, audit: true, list: true, task_ids: true },
    models: ['fake-image', 'fake-video'],
  })
})
