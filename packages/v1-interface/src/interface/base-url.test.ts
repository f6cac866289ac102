import { createGenerationService } from '@genmount/core'
import { fakeProvider } from '@genmount/testing'
import { expect, test } from 'vitest'
import { baseUrlOf } from './base-url.ts'
import { checkV1Options, settingsIn } from './check-v1-options.ts'
import type { V1Options } from './v1-options.ts'
import type { V1Request } from './v1-request.ts'

const service = createGenerationService({ providers: [fakeProvider()] })

function baseUrl(headers: Record<string, string>, options: Partial<V1Options> = {}): string {
  const request = { scheme: 'http', mountPath: '/m', header: (name: string) => headers[name] } as V1Request
  return baseUrlOf(
    request,
    settingsIn(checkV1Options('test', service, { authenticate: () => null, ...options })),
  )
}

const forwarded = {
  host: 'inside:3000',
  'x-forwarded-proto': 'HTTPS, http',
  'x-forwarded-host': 'example.org:8443, inside',
  'x-forwarded-prefix': '/shop/, /x',
}

test('without the option baseUrl, links have the scheme, host and mount path of the request', () => {
  expect(baseUrl({ host: 'example.org:3000' })).toBe('http://example.org:3000/m')
  expect(baseUrl({ host: '[::1]:80' })).toBe('http://[::1]:80/m')
})

test('X-Forwarded headers are used only with trustProxy, and then their first value', () => {
  expect(baseUrl(forwarded)).toBe('http://inside:3000/m')
  expect(baseUrl(forwarded, { trustProxy: true })).toBe('https://example.org:8443/shop/m')
  expect(baseUrl({ host: 'inside' }, { trustProxy: true })).toBe('http://inside/m')
})

test('malformed X-Forwarded headers are ignored', () => {
  const odd = { 'x-forwarded-proto': 'javascript', 'x-forwarded-host': 'a/b', 'x-forwarded-prefix': '//evil' }
  expect(baseUrl({ host: 'inside', ...odd }, { trustProxy: true })).toBe('http://inside/m')
})

test('a Host header that is not exactly one host is refused', () => {
  for (const host of ['', 'a/b', 'user@a', 'a, b', 'a b', 'a:b', 'a?x', 'a#x', '<script>', 'a:123456'])
    expect(() => baseUrl({ host }), host).toThrow(/Host/)
  expect(() => baseUrl({})).toThrow(/Host/)
})

test('the option baseUrl overrides the request and X-Forwarded headers', () => {
  const options = { baseUrl: 'https://example.org/media', trustProxy: true }
  expect(baseUrl(forwarded, options)).toBe('https://example.org/media')
  expect(baseUrl({ host: 'a, b' }, options)).toBe('https://example.org/media')
})
