import type { ProviderCall } from '@genmount/core'
import { afterEach, expect, test } from 'vitest'
import type { WirePrediction } from './fake-prediction.ts'
import { type FakeReplicate, knownVersion, startReplicate } from './fake-replicate.ts'
import { resetAfterwards, sendJson } from './fault.ts'
import { providerFor, replicateWorld, type World } from './replicate-world.ts'

// A creation that was never answered is looked for in the list of predictions, by the address of its webhook.

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  await Promise.all(closing.splice(0).map((close) => close()))
})

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
  const fake = await startReplicate(() => now)
  closing.push(fake.close)
  const provider = providerFor(fake, { webhookSecret: fake.webhookSecret })
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
      return () => fake.requests.slice(seen, (seen = fake.requests.length)).map(({ path }) => path)
    })(),
  }
}

const withoutWebhook = ({ webhook: _, ...shown }: WirePrediction) => shown

test.each([
  ['tells the webhooks', undefined],
  ['does not tell the webhooks', withoutWebhook],
])('of two predictions of one input each job finds its own, in a list that %s', async (_how, show) => {
  const { fake, submitted, find } = await begin()
  fake.listing.show = show
  const [first, second] = [await submitted('one'), await submitted('two')]
  expect(await find('one')).toEqual({ state: 'running', handle: first })
  expect(await find('two')).toEqual({ state: 'running', handle: second })
})

test('a prediction that is not in the list is unknown so far, and never promised not to be there', async () => {
  const { submitted, find } = await begin()
  expect(await find('one')).toMatchObject({ state: 'unknown' })
  await submitted('two')
  expect(await find('one')).toMatchObject({ state: 'unknown' })
})

test('a prediction without our webhook is nobody of ours, whatever its input', async () => {
  const { fake, provider, find } = await begin()
  await provider.submit(taskOf('one'), { signal: new AbortController().signal })
  for (const show of [undefined, (prediction: WirePrediction) => ({ ...prediction, webhook: null })]) {
    fake.listing.show = show
    expect(await find('one')).toMatchObject({ state: 'unknown' })
  }
})

test('the list is asked for the minutes around the submit, for five pages at the most', async () => {
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
  expect(asked()).toHaveLength(5)
})

test('where the limits are not minded, reading stops at what is older than the submit', async () => {
  const { fake, submitted, asked, at } = await begin()
  fake.listing.pageSize = 2
  at(submittedAt - 61_000)
  for (let count = 0; count < 6; count++) await submitted(`older ${count}`)
  at(submittedAt)
  await submitted('other')
  const { fetch } = globalThis
  asked()
  const provider = providerFor(fake, {
    webhookSecret: fake.webhookSecret,
    fetch: (input, init) => fetch(String(input).replace(/created_(after|before)=[^&]*/g, ''), init),
  })
  expect(await provider.find!(taskOf('one'), callFor('one'))).toMatchObject({ state: 'unknown' })
  expect(asked()).toHaveLength(1)
})

test('each prediction whose webhook the list does not tell is asked for once, up to 20 in a search', async () => {
  const { fake, submitted, find, asked } = await begin()
  fake.listing.show = withoutWebhook
  for (let count = 0; count < 25; count++) await submitted(`other ${count}`)
  asked()
  expect(await find('one')).toMatchObject({ state: 'unknown' })
  expect(asked()).toHaveLength(1 + 20)
  expect(await find('one')).toMatchObject({ state: 'unknown' })
  expect(asked()).toHaveLength(1 + 5)
  const wanted = await submitted('one')
  expect(await find('one')).toEqual({ state: 'running', handle: wanted })
})

test('predictions of other versions are not asked for', async () => {
  const { fake, submitted, find, asked } = await begin()
  fake.listing.show = withoutWebhook
  await submitted('other', 'painter')
  const wanted = await submitted('one', 'versioned')
  expect(fake.predictions.get(wanted)?.version).toBe(knownVersion)
  asked()
  expect(await find('one', {}, 'versioned')).toEqual({ state: 'running', handle: wanted })
  expect(asked()).toEqual([expect.stringContaining('?created_after='), `/v1/predictions/${wanted}`])
})

test.each([
  ['no callback URL', undefined],
  ['one that Replicate would not take', 'http://app.example/hook'],
])('a job with %s is unknown, and nothing is asked', async (_what, callbackUrl) => {
  const { submitted, find, asked } = await begin()
  await submitted('one')
  asked()
  expect(await find('one', { callbackUrl })).toMatchObject({ state: 'unknown' })
  expect(asked()).toEqual([])
})

test('without a webhook secret there is nothing to find a prediction by', async () => {
  const { fake } = await begin()
  expect(providerFor(fake).find).toBeUndefined()
})

type ListFault = NonNullable<FakeReplicate['listing']['fault']>
const says =
  (status: number, body: unknown, headers = {}): ListFault =>
  (response) => {
    sendJson(response, status, body, headers)
    return true
  }

const noNews: [string, ListFault][] = [
  ...[402, 410, 422].map((status): [string, ListFault] => [String(status), says(status, { detail: 'No.' })]),
  ['a page of a proxy', (response) => Boolean(response.end('<h1>Log in</h1>'))],
  ['null', says(200, null)],
  ['a list without results', says(200, { next: null })],
  ['results that are no list', says(200, { results: { 0: {} } })],
  ['a next page that is no address', says(200, { results: [], next: 'page two' })],
]

test.each(noNews)('a search that is answered with %s throws: nothing is known', async (_what, fault) => {
  const { fake, submitted, find } = await begin()
  await submitted('one')
  fake.listing.fault = fault
  await expect(find('one')).rejects.toThrow()
})

test.each([
  ['Retry-After', {}, { 'retry-after': '7' }, 7000],
  ['words', { detail: 'Request was throttled. Your rate limit resets in ~30s.' }, {}, 30_000],
])(
  'a search that is throttled says when to search again, by %s',
  async (_how, body, headers, retryAfterMs) => {
    const { fake, find } = await begin()
    fake.listing.fault = says(429, body, headers)
    expect(await find('one')).toMatchObject({ state: 'refused', retryAfterMs })
  },
)

test.each([
  ['404', says(404, {})],
  [
    'items that are none',
    says(200, { results: [null, 7, 'text', [], {}, { id: '../account', webhook: hook('one') }] }),
  ],
  ['wrong types', says(200, { results: [{ id: 'p1', webhook: [hook('one')], created_at: 5 }], next: null })],
])('a search that is answered with %s has found nothing', async (_what, fault) => {
  const { fake, find } = await begin()
  fake.listing.fault = fault
  expect(await find('one')).toMatchObject({ state: 'unknown' })
})

const secret = 'whsec_' + btoa('a key that both sides know')

async function lostCreation(listing: FakeReplicate['listing'] = {}): Promise<{ world: World; id: string }> {
  const world = await replicateWorld({ webhookSecret: secret }, { callbackBaseUrl: 'https://app.example' })
  closing.push(world.close)
  Object.assign(world.fake.listing, listing)
  world.fake.faults.create = resetAfterwards
  return { world, id: (await world.create('troubled')).id }
}

test.each([
  ['at once', {}],
  ['though the list does not tell webhooks', { show: withoutWebhook }],
])(
  'a prediction whose creation was never answered is found %s, with no webhook and no second one',
  async (_how, listing) => {
    const { world, id } = await lostCreation(listing)
    const { handle, phase, costUsd } = await world.until(id)
    expect({ handle, phase, costUsd }).toEqual({
      handle: world.fake.ledger[0],
      phase: 'completed',
      costUsd: 0.004485,
    })
    expect(world.fake.ledger).toHaveLength(1)
  },
)

test('a search that brings no news is made again, and finds', async () => {
  let count = 0
  const { world, id } = await lostCreation({ fault: (response) => count++ === 0 && says(503, {})(response) })
  expect(await world.until(id)).toMatchObject({ phase: 'completed' })
  expect(world.fake.ledger).toHaveLength(1)
})

test('a prediction that the list shows half a minute late is found, and not created again', async () => {
  const { world, id } = await lostCreation()
  const from = world.clock.now() + 30_000
  world.fake.listing.fault = (response) =>
    world.clock.now() < from && says(200, { results: [], next: null })(response)
  expect(await world.until(id)).toMatchObject({ phase: 'completed' })
  expect(world.fake.ledger).toHaveLength(1)
})

test('a prediction that the list never shows is ambiguous after a minute, and not created again', async () => {
  const { world, id } = await lostCreation({ fault: says(200, { results: [], next: null }) })
  const { error, startedAt, completedAt } = await world.until(id)
  expect(error?.code).toBe('submit_ambiguous')
  expect(completedAt! - startedAt!).toBeGreaterThanOrEqual(60_000)
  expect(completedAt! - startedAt!).toBeLessThan(600_000)
  expect(world.fake.ledger).toHaveLength(1)
})
