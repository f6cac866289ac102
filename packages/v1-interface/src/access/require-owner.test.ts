import { expect, test } from 'vitest'
import type { V1Options } from '../interface/v1-options.ts'
import type { Credentials } from './access-options.ts'
import { corsPolicy } from './cors-policy.ts'
import { kite, options, setUp } from '../test-kit/set-up.ts'

/** An app whose visitors sign in, and whose cookie names the owner. Scripts of the visitors have keys. */
const signedIn = {
  credentials: 'any',
  authenticate: ({ token, request }: Credentials<{ request: unknown }>) => {
    if (token !== undefined) return token === 'alice-key' ? { owner: 'alice' } : null
    const owner = (request as { cookie?: string } | undefined)?.cookie
    return owner === undefined ? null : { owner }
  },
} satisfies V1Options

const ofAlice = { request: { cookie: 'alice' } }
const cookieOnly = { authorization: '' }
const page = 'https://app.example'

test('with the option for cookies, authenticate gets requests without a bearer, and the request object of the host', async () => {
  const { ask } = setUp({ options: signedIn, fromHost: ofAlice })
  const { status, json: job } = await ask('POST /m/v1/generate', kite, cookieOnly)
  expect(status).toBe(202)
  expect((await ask(`GET /m/v1/jobs/${job.id}`)).status).toBe(200)
  const stranger = setUp({ options: signedIn, fromHost: { request: {} } })
  expect(await stranger.ask(`GET /m/v1/jobs/${job.id}`, undefined, cookieOnly)).toMatchObject({
    status: 401,
    headers: { 'www-authenticate': 'Bearer' },
    json: { error: { code: 'missing_api_key', message: expect.stringContaining('Sign in') } },
  })
})

test('a wrong bearer is refused although a cookie is valid, and a malformed bearer never reaches authenticate', async () => {
  const { ask } = setUp({ options: signedIn, fromHost: ofAlice })
  for (const authorization of ['Bearer wrong', 'Bearer alice-key, Bearer bob-key', 'Bearer a b'])
    expect(await ask('GET /m/v1/jobs/x', undefined, { authorization }), authorization).toMatchObject({
      status: 401,
      json: { error: { code: 'invalid_api_key' } },
    })
})

test('without the option for cookies, a request without a bearer never reaches authenticate', async () => {
  let calls = 0
  const authenticate = () => {
    calls++
    return { owner: 'alice' }
  }
  for (const credentials of [undefined, 'bearer'] as const) {
    const { ask } = setUp({ options: { credentials, authenticate }, fromHost: ofAlice })
    expect((await ask('GET /m/v1/jobs/x', undefined, cookieOnly)).status).toBe(401)
  }
  expect(calls).toBe(0)
})

/** The headers with which browsers show the origin of a request. The interface is mounted at http://media.test/m. */
const fromElsewhere: readonly Record<string, string>[] = [
  { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' },
  { 'sec-fetch-site': 'cross-site' },
  { 'sec-fetch-site': 'same-site', origin: 'https://other.media.test' },
  { 'sec-fetch-site': 'cross-site', origin: 'null' },
  { 'sec-fetch-site': 'cross-site', origin: 'http://media.test' },
  { origin: 'https://evil.example' },
  { origin: 'http://media.test.evil.example' },
  { origin: 'http://media.test:8080' },
  { origin: 'null' },
]
const fromOurs: readonly Record<string, string>[] = [
  { 'sec-fetch-site': 'same-origin', origin: 'http://media.test' },
  { 'sec-fetch-site': 'none' },
  { origin: 'http://media.test' },
  // Behind a proxy that ends TLS, the scheme of the request differs from the scheme of the page.
  { origin: 'https://media.test' },
  { 'sec-fetch-site': 'cross-site', origin: page },
  { 'sec-fetch-site': 'same-site', origin: page },
  { origin: page },
  {},
]

test('a page of another origin can not create a job with the cookie of its visitor, whatever content type it sends', async () => {
  const { ask, bodyReads } = setUp({
    options: { ...signedIn, cors: corsPolicy({ origins: [page] }) },
    fromHost: ofAlice,
  })
  for (const given of fromElsewhere)
    for (const type of ['application/json', 'text/plain', 'application/x-www-form-urlencoded']) {
      const headers = { ...cookieOnly, ...given, 'content-type': type }
      for (const path of ['/m/v1/generate', '/m/v1/images/generations'])
        expect(await ask(`POST ${path}`, kite, headers), JSON.stringify(headers)).toMatchObject({
          status: 403,
          json: { error: { code: 'origin_not_allowed', type: 'permission_error', param: 'Origin' } },
        })
    }
  expect(bodyReads()).toBe(0)
  for (const given of fromOurs)
    expect(
      await ask('POST /m/v1/generate', kite, { ...cookieOnly, ...given }),
      JSON.stringify(given),
    ).toMatchObject({ status: 202 })
})

test("the app's own origin is that of baseUrl, or that of a trusted proxy", async () => {
  const created = async (given: Partial<V1Options>, headers: Record<string, string>) => {
    const { ask } = setUp({ options: { ...signedIn, ...given } as V1Options, fromHost: ofAlice })
    return (await ask('POST /m/v1/generate', kite, { ...cookieOnly, ...headers })).status
  }
  expect(await created({ baseUrl: 'https://shop.example/m' }, { origin: 'https://shop.example' })).toBe(202)
  expect(await created({ baseUrl: 'https://shop.example/m' }, { origin: 'http://media.test' })).toBe(403)
  const proxied = { origin: 'https://shop.example', 'x-forwarded-host': 'shop.example' }
  expect(await created({ trustProxy: true }, proxied)).toBe(202)
  expect(await created({}, proxied)).toBe(403)
})

test('reads from other origins are not refused, so that <img> elements of other pages work', async () => {
  const { ask } = setUp({ options: signedIn, fromHost: ofAlice })
  const { json: job } = await ask('POST /m/v1/generate?wait=true', kite, cookieOnly)
  for (const given of fromElsewhere)
    for (const method of ['GET', 'HEAD', 'OPTIONS']) {
      const { status } = await ask(`${method} /m/v1/files/${job.id}`, undefined, { ...cookieOnly, ...given })
      expect(status).toBe(method === 'OPTIONS' ? 204 : 302)
    }
})

test('without cookies, the origin of a request does not matter, because no browser sends a key by itself', async () => {
  const { ask } = setUp({ options })
  for (const given of fromElsewhere) expect((await ask('POST /m/v1/generate', kite, given)).status).toBe(202)
})

test('pages of listed origins may send cookies, and other pages can not read what their visitor can', async () => {
  const { ask } = setUp({
    options: { ...signedIn, cors: corsPolicy({ origins: [page] }) },
    fromHost: ofAlice,
  })
  const headersFor = async (origin: string) =>
    (await ask('GET /m/v1/jobs/x', undefined, { ...cookieOnly, origin })).headers
  expect(await headersFor(page)).toMatchObject({
    'access-control-allow-origin': page,
    'access-control-allow-credentials': 'true',
  })
  const refused = await headersFor('https://evil.example')
  expect(Object.keys(refused).join()).not.toContain('access-control')
})

test('the ledger names the key by which a job was created, and jobs of keys without an id have none', async () => {
  const keyId = ({ token }: { readonly token: string }) =>
    token === 'alice-key' ? 'key of the shop' : undefined
  const authenticate = (token: string) => ({ owner: 'alice', keyId: keyId({ token }) })
  const { ask, service } = setUp({ options: { authenticate } })
  const keyOf = async (authorization: string) => {
    const { json } = await ask('POST /m/v1/generate', kite, { authorization })
    expect(JSON.stringify(json)).not.toContain('key of the shop')
    return (await service.get(json.id, 'alice')).keyId
  }
  expect(await keyOf('Bearer alice-key')).toBe('key of the shop')
  expect(await keyOf('Bearer other')).toBeUndefined()
})

test('a keyId that no ledger can keep, or that is the key itself, fails the request, and the log says why', async () => {
  for (const keyId of ['', 'k'.repeat(257), 'two\nlines', '\ud800', 5, 'alice-key'] as string[]) {
    const { ask, log } = setUp({ options: { authenticate: () => ({ owner: 'alice', keyId }) } })
    expect(await ask('POST /m/v1/generate', kite), JSON.stringify(keyId)).toMatchObject({ status: 500 })
    const why = keyId === 'alice-key' ? 'must not be the key itself' : 'must be a name for the key'
    expect(String(log.lines)).toContain(why)
    expect(String(log.lines)).not.toContain('alice-key')
  }
})
