import { createGenerationService, type GenerationServiceOptions, type ServicePlugin } from '@genmount/core'
import { limits } from '@genmount/core/limits'
import { fakeProvider, quietLog } from '@genmount/testing'
import { expect, onTestFinished, test } from 'vitest'
import { kite, options, setUp, slowKite } from '../test-kit/set-up.ts'

const price = { text: '0.4 USD per image', per: 'image', usd: 0.4 }

/** The interface over a service whose pictures cost 0.4 US dollars each. */
function priced(serviceOptions: Partial<GenerationServiceOptions> = {}) {
  const models = fakeProvider().models.map((model) =>
    model.id === 'fake-image' ? { ...model, price } : model,
  )
  const provider = fakeProvider({ models })
  const service = createGenerationService({ providers: [provider], log: quietLog(), ...serviceOptions })
  onTestFinished(async () => void (await service.close()))
  return { ...setUp({ service, options }), provider, service }
}

test.each(['/m/v1/generate', '/m/v1/images/generations'])(
  'a dry run of POST %s answers with the input, the cost and the price in words, and makes no job',
  async (path) => {
    const { ask, provider } = priced()
    const reply = await ask(`POST ${path}?dry_run=true&wait=true`, {
      ...kite,
      num_outputs: 2,
      metadata: { album: '7' },
    })
    const { json: job } = await ask(`POST ${path}?dry_run=false`, { ...kite, num_outputs: 2 })
    expect(reply.status).toBe(200)
    expect(reply.json).toEqual({
      object: 'estimate',
      model: 'fake-image',
      output_kind: 'image',
      input: job.input,
      cost_usd: 0.8,
      price: '0.4 USD per image',
      accepted: true,
      error: null,
      budget_remaining_usd: null,
      metadata: { album: '7' },
    })
    expect((await ask('GET /m/v1/jobs')).json.data.map(({ id }: { id: string }) => id)).toEqual([job.id])
    expect(provider.submits.length).toBeLessThanOrEqual(1)
  },
)

test('the cost and the price of a dry run are null where they are not known', async () => {
  const { ask } = priced()
  const film = { model: 'fake-video', prompt: 'a kite' }
  const { json } = await ask('POST /m/v1/video/generations?dry_run=true', film)
  expect(json).toMatchObject({ cost_usd: null, price: null, accepted: true })
})

test('a dry run of a job that would be refused is 200 with the error of the create, and what is left before that', async () => {
  const { ask } = priced({ plugins: [limits({ spendUsdPerDay: 0.9 })] })
  const dryRun = async () => (await ask('POST /m/v1/generate?dry_run=true', slowKite)).json
  expect(await dryRun()).toMatchObject({ accepted: true, budget_remaining_usd: 0.5 })
  for (let n = 0; n < 2; n++) expect((await ask('POST /m/v1/generate', slowKite)).status).toBe(202)
  const refused = await ask('POST /m/v1/generate', slowKite)
  expect(refused.status).toBe(429)
  expect(await dryRun()).toMatchObject({
    accepted: false,
    error: { ...refused.json.error, request_id: expect.stringMatching(/^req_/) },
    budget_remaining_usd: null,
  })
})

test('a dry run ignores idempotency keys, also one that a create refuses', async () => {
  const { ask } = priced()
  for (const key of ['one', 'one', '"']) {
    const reply = await ask('POST /m/v1/generate?dry_run=true', kite, { 'idempotency-key': key })
    expect(reply).toMatchObject({ status: 200, json: { object: 'estimate' } })
  }
  const made = await ask('POST /m/v1/generate', { ...kite, prompt: 'other' }, { 'idempotency-key': 'one' })
  expect(made.status).toBe(202)
})

test.each([
  ['/m/v1/generate', { model: 'nope' }],
  ['/m/v1/generate', { model: 'fake-image' }],
  ['/m/v1/generate', { ...kite, num_outputs: 99 }],
  ['/m/v1/generate', [kite]],
  ['/m/v1/video/generations', kite],
])('a dry run of the wrong request %s %o is refused as its create is', async (path, body) => {
  const { ask } = priced()
  const [dry, create] = [await ask(`POST ${path}?dry_run=true`, body), await ask(`POST ${path}`, body)]
  expect(create.status).toBe(400)
  expect(dry.status).toBe(400)
  expect({ ...dry.json.error, request_id: '' }).toEqual({ ...create.json.error, request_id: '' })
})

test('a dry run needs the key of a create, and counts as a request', async () => {
  const { ask } = priced({ plugins: [limits({ requestsPerMinute: 1 })] })
  expect((await ask('POST /m/v1/generate?dry_run=true', kite, { authorization: 'Bearer x' })).status).toBe(
    401,
  )
  expect((await ask('POST /m/v1/generate?dry_run=true', kite)).status).toBe(200)
  expect((await ask('POST /m/v1/generate?dry_run=true', kite)).status).toBe(429)
})

test('a query parameter dry_run that is neither true nor false, or is repeated, is refused before the body is read', async () => {
  const { ask, bodyReads } = setUp()
  for (const query of ['dry_run=1', 'dry_run=', 'dry_run', 'dry_run=TRUE', 'dry_run=true&dry_run=true']) {
    const reply = await ask(`POST /m/v1/generate?${query}`, kite)
    expect(reply, query).toMatchObject({
      status: 400,
      json: {
        error: { code: 'invalid_request', param: 'dry_run', message: expect.stringMatching(/^dry_run /) },
      },
    })
  }
  expect(bodyReads()).toBe(0)
})

test('x-spend-usd-per-day lowers the limit of a create and of a dry run, and never raises that of the service', async () => {
  const { ask } = priced({ plugins: [limits({ spendUsdPerDay: 0.9 })] })
  const create = async (usd: string, query = '') =>
    (await ask(`POST /m/v1/generate${query}`, slowKite, { 'x-spend-usd-per-day': usd })).json
  expect(await create('0.5', '?dry_run=true')).toMatchObject({ accepted: true, budget_remaining_usd: 0.1 })
  expect(await create('0.39')).toMatchObject({ error: { code: 'insufficient_quota' } })
  expect(await create('0.4')).toMatchObject({ object: 'generation' })
  expect(await create('0.79')).toMatchObject({ error: { code: 'insufficient_quota' } })
  expect(await create('100')).toMatchObject({ object: 'generation' })
  expect(await create('100')).toMatchObject({ error: { code: 'insufficient_quota' } })
})

test('a service without the plugin limits refuses x-spend-usd-per-day, and one whose limits are others holds it', async () => {
  const statuses = async (plugins: readonly ServicePlugin[]) => {
    const { ask, provider } = priced({ plugins })
    const headers = { 'x-spend-usd-per-day': '0.4' }
    const replies = []
    for (const query of ['?dry_run=true', '', ''])
      replies.push((await ask(`POST /m/v1/generate${query}`, kite, headers)).status)
    return [...replies, provider.submits.length]
  }
  expect(await statuses([])).toEqual([501, 501, 501, 0])
  expect(await statuses([limits({ runningJobs: 5 })])).toEqual([200, 202, 429, 1])
})

test.each(['', '-1', '1e3', '1,5', 'Infinity', '0x1', '1.1234567'])(
  'x-spend-usd-per-day: %o is refused in words',
  async (usd) => {
    const { ask } = priced({ plugins: [limits({})] })
    for (const query of ['', '?dry_run=true'])
      expect((await ask(`POST /m/v1/generate${query}`, kite, { 'x-spend-usd-per-day': usd })).json).toEqual({
        error: expect.objectContaining({ code: 'invalid_request', param: 'x-spend-usd-per-day' }),
      })
  },
)
