import { callbacks } from '@genmount/core/callbacks'
import type { ProviderCall } from '@genmount/core'
import { afterEach, expect, test } from 'vitest'
import { always, type Trouble, type VendorReply } from '../vendor-server.ts'
import type { WirePrediction } from './fake-prediction.ts'
import { knownVersion, type Listing, startReplicate, webhookSecret } from './fake-replicate.ts'
import { creates, providerAt, replicateWorld } from './replicate-world.ts'

// A creation that was never answered is looked for in the list of predictions, by the address of its webhook.

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  await Promise.all(closing.splice(0).map((close) => close()))
})

const minuteMs = 60_000
const submittedAt = Date.UTC(2026, 10, 22)
const hook = (token: string) => `https://app.example/v1/callbacks/replicate/job/${token}`
const taskOf = (clientToken: string, model = 'painter') => ({
  jobId: clientToken,
  model,
  input: { prompt: 'a fox' },
  clientToken,
})
const callFor = (token: string, more: Partial<ProviderCall> = {}): ProviderCall => ({
  signal: new AbortController().signal,
  callbackUrl: hook(token),
  submittedAt,
  ...more,
})

/** The provider before a fake at a standstill of time, and ways to create and find predictions by a job's token. */
async function begin() {
  let now = submittedAt
  const fake = await startReplicate({ now: () => now })
  closing.push(fake.close)
  const provider = providerAt(fake.baseUrl, { webhookSecret })
  return {
    fake,
    provider,
    at: (instant: number) => void (now = instant),
    async submitted(token: string, model?: string): Promise<string> {
      await provider.submit(taskOf(token, model), callFor(token))
      return fake.ledger.at(-1)!
    },
    find: (token: string, more?: Partial<ProviderCall>, model?: string) =>
      provider.find!(taskOf(token, model), callFor(token, more)),
    /** The paths of the requests since the last call of this function. */
    asked: (() => {
      let seen = 0
      return () =>
        fake.requests.slice(seen, (seen = fake.requests.length)).map(({ url }) => url.pathname + url.search)
    })(),
  }
}

const withoutWebhook = ({ webhook: _, ...shown }: WirePrediction) => shown

test.each([
  ['tells the webhooks', undefined],
  ['does not tell the webhooks', withoutWebhook],
])(
  'each of two jobs with the same input finds its own Replicate prediction, in a list that %s',
  async (_how, show) => {
    const { fake, submitted, find } = await begin()
    fake.listing.show = show
    const [first, second] = [await submitted('one'), await submitted('two')]
    expect(await find('one')).toEqual({ state: 'running', handle: first })
    expect(await find('two')).toEqual({ state: 'running', handle: second })
  },
)

test('find reports a prediction that is not in the list of Replicate as unknown', async () => {
  const { submitted, find } = await begin()
  expect(await find('one')).toMatchObject({ state: 'unknown' })
  await submitted('two')
  expect(await find('one')).toMatchObject({ state: 'unknown' })
})

test('find ignores Replicate predictions without our webhook, whatever their input', async () => {
  const { fake, provider, find } = await begin()
  await provider.submit(taskOf('one'), { signal: new AbortController().signal })
  for (const show of [undefined, (prediction: WirePrediction) => ({ ...prediction, webhook: null })]) {
    fake.listing.show = show
    expect(await find('one')).toMatchObject({ state: 'unknown' })
  }
})

test('find reads at most five pages of the Replicate list, from the minutes around the submit', async () => {
  const { fake, submitted, find, asked } = await begin()
  fake.listing.pageSize = 2
  const wanted = await submitted('one')
  for (let count = 0; count < 9; count++) await submitted(`other ${count}`)
  asked()
  expect(await find('one')).toEqual({ state: 'running', handle: wanted })
  const pages = asked()
  expect(pages).toHaveLength(5)
  for (const page of pages) {
    const { searchParams } = new URL(page, fake.baseUrl)
    expect(searchParams.get('created_after')).toBe('2026-11-21T23:59:00.000Z')
    expect(searchParams.get('created_before')).toBe('2026-11-22T00:02:00.000Z')
  }
  await submitted('the one that pushes it to the sixth page')
  asked()
  expect(await find('one')).toMatchObject({ state: 'unknown' })
  // And one page from the minutes before.
  expect(asked()).toHaveLength(5 + 1)
})

test.each([
  ['ahead by two minutes', 2 * minuteMs],
  ['ahead by an hour', 60 * minuteMs],
  ['ahead by 8 days', 8 * 24 * 60 * minuteMs],
  ['back by three minutes', -3 * minuteMs],
  ['back by a day', -24 * 60 * minuteMs],
])(
  'a lost Replicate prediction is found ten minutes later though the clock of the service was set %s at its submit',
  async (_how, byMs) => {
    for (const show of [undefined, withoutWebhook]) {
      const { fake, submitted, find, at, asked } = await begin()
      fake.listing.show = show
      const wanted = await submitted('one')
      await submitted('other')
      for (const laterMs of [0, 10 * minuteMs]) {
        at(submittedAt + laterMs)
        asked()
        expect(await find('one', { submittedAt: submittedAt + byMs })).toEqual({
          state: 'running',
          handle: wanted,
        })
        expect(asked().length).toBeLessThanOrEqual(4)
      }
    }
  },
)

test('find reads at most ten pages of the Replicate list, from the minutes around the submit and before the search', async () => {
  const { fake, submitted, find, at, asked } = await begin()
  fake.listing.pageSize = 2
  for (let count = 0; count < 20; count++) await submitted(`early ${count}`)
  at(submittedAt + 10 * minuteMs)
  for (let count = 0; count < 20; count++) await submitted(`late ${count}`)
  asked()
  expect(await find('one')).toMatchObject({ state: 'unknown' })
  expect(asked()).toHaveLength(10)
})

test('find stops at predictions older than the submit when Replicate ignores the time limits', async () => {
  const { fake, submitted, asked, at } = await begin()
  fake.listing.pageSize = 2
  at(submittedAt - 16 * minuteMs)
  for (let count = 0; count < 6; count++) await submitted(`older ${count}`)
  at(submittedAt)
  await submitted('other')
  const { fetch } = globalThis
  asked()
  const provider = providerAt(fake.baseUrl, {
    webhookSecret,
    fetch: (input, init) => fetch(String(input).replace(/created_(after|before)=[^&]*/g, ''), init),
  })
  expect(await provider.find!(taskOf('one'), callFor('one'))).toMatchObject({ state: 'unknown' })
  // One page from the minutes around the submit, and one from the minutes before.
  expect(asked()).toHaveLength(2)
})

test('find reads each prediction whose webhook the Replicate list omits once, at most 20 in a search', async () => {
  const { fake, submitted, find, asked } = await begin()
  fake.listing.show = withoutWebhook
  for (let count = 0; count < 25; count++) await submitted(`other ${count}`)
  asked()
  expect(await find('one')).toMatchObject({ state: 'unknown' })
  expect(asked()).toHaveLength(2 + 20)
  expect(await find('one')).toMatchObject({ state: 'unknown' })
  expect(asked()).toHaveLength(2 + 5)
  const wanted = await submitted('one')
  expect(await find('one')).toEqual({ state: 'running', handle: wanted })
})

test('find does not read Replicate predictions of other versions', async () => {
  const { fake, submitted, find, asked } = await begin()
  fake.listing.show = withoutWebhook
  await submitted('other', 'painter')
  const wanted = await submitted('one', 'versioned')
  expect(fake.predictions.get(wanted)?.version).toBe(knownVersion)
  asked()
  expect(await find('one', {}, 'versioned')).toEqual({ state: 'running', handle: wanted })
  const list = expect.stringContaining('?created_after=')
  expect(asked()).toEqual([list, list, `/v1/predictions/${wanted}`])
})

test.each([
  ['no callback URL', undefined],
  ['one that Replicate would not take', 'http://app.example/hook'],
])('find reports a job with %s as unknown without a request to Replicate', async (_what, callbackUrl) => {
  const { submitted, find, asked } = await begin()
  await submitted('one')
  asked()
  expect(await find('one', { callbackUrl })).toMatchObject({ state: 'unknown' })
  expect(asked()).toEqual([])
})

test('a replicate provider without webhookSecret has no find', async () => {
  const { fake } = await begin()
  expect(providerAt(fake.baseUrl).find).toBeUndefined()
})

/** The requests for the list of predictions. */
const list = 'GET /v1/predictions?'

const noNews: [string, VendorReply][] = [
  ...[402, 410, 422].map((status): [string, VendorReply] => [
    String(status),
    { status, json: { detail: 'No.' } },
  ]),
  ['a page of a proxy', { body: '<h1>Log in</h1>' }],
  ['null', { body: 'null' }],
  ['a list without results', { json: { next: null } }],
  ['results that are no list', { json: { results: { 0: {} } } }],
  ['a next page that is no address', { json: { results: [], next: 'page two' } }],
]

test.each(noNews)('find rejects when Replicate answers with %s', async (_what, instead) => {
  const { fake, submitted, find } = await begin()
  await submitted('one')
  fake.trouble(list, always({ instead }))
  await expect(find('one')).rejects.toThrow()
})

test.each([
  ['Retry-After', {}, { 'retry-after': '7' }, 7000],
  ['words', { detail: 'Request was throttled. Your rate limit resets in ~30s.' }, {}, 30_000],
])(
  'find reports how long to wait when Replicate throttles, by %s',
  async (_how, json, headers, retryAfterMs) => {
    const { fake, find } = await begin()
    fake.trouble(list, { instead: { status: 429, json, headers } })
    expect(await find('one')).toMatchObject({ state: 'refused', retryAfterMs })
  },
)

test.each<[string, VendorReply]>([
  ['404', { status: 404 }],
  [
    'items that are none',
    { json: { results: [null, 7, 'text', [], {}, { id: '../account', webhook: hook('one') }] } },
  ],
  ['wrong types', { json: { results: [{ id: 'p1', webhook: [hook('one')], created_at: 5 }], next: null } }],
])('find reports unknown when Replicate answers with %s', async (_what, instead) => {
  const { fake, find } = await begin()
  fake.trouble(list, { instead })
  expect(await find('one')).toMatchObject({ state: 'unknown' })
})

async function lostCreation(listing: Listing = {}) {
  const world = await replicateWorld(
    { webhookSecret },
    { plugins: [callbacks({ baseUrl: 'https://app.example' })] },
  )
  closing.push(world.close)
  Object.assign(world.fake.listing, listing)
  world.fake.trouble(creates, { after: 'reset' })
  return { world, id: await world.create('troubled') }
}

test.each([
  ['at once', {}],
  ['though the list does not tell webhooks', { show: withoutWebhook }],
])(
  'a Replicate prediction whose create was not answered is found %s and not created again',
  async (_how, listing) => {
    const { world, id } = await lostCreation(listing)
    const { handle, phase, costUsd } = await world.finished(id)
    expect({ handle, phase, costUsd }).toEqual({
      handle: world.fake.ledger[0],
      phase: 'completed',
      costUsd: 0.004485,
    })
    expect(world.fake.ledger).toHaveLength(1)
  },
)

test('the search for a Replicate prediction is repeated after a 503 and finds the prediction', async () => {
  const { world, id } = await lostCreation()
  world.fake.trouble(list, { instead: { status: 503 } })
  expect(await world.finished(id)).toMatchObject({ phase: 'completed' })
  expect(world.fake.ledger).toHaveLength(1)
})

const empty: Trouble = { instead: { json: { results: [], next: null } } }

test('a Replicate prediction that the list shows half a minute late is found and not created again', async () => {
  const { world, id } = await lostCreation()
  const from = world.clock.now() + 30_000
  world.fake.trouble(
    (request) => request.url.pathname === '/v1/predictions' && world.clock.now() < from,
    always(empty),
  )
  expect(await world.finished(id)).toMatchObject({ phase: 'completed' })
  expect(world.fake.ledger).toHaveLength(1)
})

test('a Replicate prediction that the list never shows fails as submit_ambiguous after a minute', async () => {
  const { world, id } = await lostCreation()
  world.fake.trouble(list, always(empty))
  const { error, startedAt, completedAt } = await world.finished(id)
  expect(error?.code).toBe('submit_ambiguous')
  expect(completedAt! - startedAt!).toBeGreaterThanOrEqual(60_000)
  expect(completedAt! - startedAt!).toBeLessThan(600_000)
  expect(world.fake.ledger).toHaveLength(1)
})
