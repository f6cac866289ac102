import { createGenerationService, shareOfHeap } from '@genmount/core'
import { fakeProvider } from '@genmount/testing'
import { expect, test } from 'vitest'
import { checkMountedOptions, checkV1Options, settingsIn } from './check-v1-options.ts'
import type { V1Options } from './v1-options.ts'

const authenticate = () => null
const service = createGenerationService({ providers: [fakeProvider()] })
const checkOptions = (options: V1Options) => settingsIn(checkV1Options('toHandler', service, options))
const mountPathOf = (mountPath?: string) =>
  checkMountedOptions('toHandler', service, { authenticate, mountPath })[0]

test('without options, a body may have 20 MiB and all together a sixteenth of the heap, a body may take 30 seconds, and no proxy is believed', () => {
  expect(checkOptions({ authenticate })).toEqual({
    authenticate,
    credentials: 'bearer',
    interfaces: [],
    isKeyValid: undefined,
    baseUrl: undefined,
    trustProxy: false,
    cors: undefined,
    openapi: undefined,
    maxBodyBytes: 20_971_520,
    // The limit of the heap differs by some kB from one look to the next.
    maxBodiesBytes: expect.closeTo(shareOfHeap(1 / 16, 256 * 1024 * 1024), -5),
    maxJsonValues: 10_000,
    bodyTimeoutMs: 30_000,
    maxDownloads: 1000,
    maxDownloadsPerOwner: 250,
    linkSecret: undefined,
  })
})

test('the memory budget for bodies always fits one body of the largest size', () => {
  expect(checkOptions({ authenticate, maxBodyBytes: 1e9 }).maxBodiesBytes).toBe(1e9)
})

test('a slash at the end of the option baseUrl is removed', () => {
  expect(checkOptions({ authenticate, baseUrl: 'https://Example.org/media//' }).baseUrl).toBe(
    'https://example.org/media',
  )
})

test.each<[string, object]>([
  ['authenticate', {}],
  ...[true, 'public', false, null].map((openapi): [string, object] => ['openapi', { authenticate, openapi }]),
  ['authenticate', { authenticate: 'key' }],
  ...[
    'example.org',
    '/media',
    'ftp://a',
    'https://a/?',
    'https://a/?b',
    'https://a/#b',
    'https://u:p@a',
    '',
    5,
    null,
  ].map((baseUrl): [string, object] => ['baseUrl', { authenticate, baseUrl }]),
  ['credentials', { authenticate, credentials: 'cookie' }],
  ['cors.origins', { authenticate, credentials: 'any', cors: { origins: '*' } }],
  ['isKeyValid', { authenticate, isKeyValid: true }],
  ['trustProxy', { authenticate, trustProxy: 'true' }],
  ...[true, '*', null, [], {}, { origins: [] }, { origins: 'https://a.example' }, { origins: [5] }].map(
    (cors): [string, object] => ['cors', { authenticate, cors }],
  ),
  ...[
    '*',
    'null',
    'a.example',
    'https://a.example/',
    'https://A.example',
    'https://a.example:443',
    'https://*.a.example',
    'https://a.example, https://b.example',
  ].map((origin): [string, object] => ['cors.origins', { authenticate, cors: { origins: [origin] } }]),
  ...['x-a', ['x a'], [''], [5]].map((exposedHeaders): [string, object] => [
    'cors.exposedHeaders',
    { authenticate, cors: { origins: '*', exposedHeaders } },
  ]),
  ...[0, -1, 1.5, NaN, Infinity, '5'].map((maxBodyBytes): [string, object] => [
    'maxBodyBytes',
    { authenticate, maxBodyBytes },
  ]),
  ['maxJsonValues', { authenticate, maxJsonValues: 0 }],
  ['maxBodiesBytes', { authenticate, maxBodiesBytes: 20_971_519 }],
  ['bodyTimeoutMs', { authenticate, bodyTimeoutMs: 2 ** 31 }],
  ['bodyTimeoutMs', { authenticate, bodyTimeoutMs: 0 }],
  ['maxDownloads', { authenticate, maxDownloads: 0 }],
  ['maxDownloadsPerOwner', { authenticate, maxDownloadsPerOwner: 0 }],
  ['maxDownloadsPerOwner', { authenticate, maxDownloads: 9, maxDownloadsPerOwner: 10 }],
  ['linkSecret', { authenticate, linkSecret: 'too short' }],
  ['linkSecret', { authenticate, linkSecret: new Uint8Array(31) }],
  ['linkSecret', { authenticate, linkSecret: Array(32).fill(1) }],
])('a wrong %s is a TypeError that names it: %o', (name, options) => {
  const check = () => checkOptions(options as V1Options)
  expect(check).toThrow(TypeError)
  expect(check).toThrow(name)
})

test('cors.origins accepts web origins and the origins of apps such as capacitor:// and chrome-extension://', () => {
  const origins = [
    'https://a.example',
    'http://[::1]:8080',
    'capacitor://localhost',
    'chrome-extension://abc',
  ]
  expect(checkOptions({ authenticate, cors: { origins } }).cors).toEqual({ origins })
})

test('a mount path that is not empty and not a plain path throws a TypeError', () => {
  for (const path of [undefined, '', '/media', '/a/b-c_d.e']) expect(mountPathOf(path)).toBe(path ?? '')
  for (const path of ['media', '/', '/media/', '/a?b', '/a#b', '/a/../b', '/\u00e9', '/a b', '//a/'])
    expect(() => mountPathOf(path), path).toThrow(/^toHandler: mountPath must be/)
})
