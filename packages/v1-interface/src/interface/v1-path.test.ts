import { expect, test } from 'vitest'
import { targetOf, v1Path } from './base-url.ts'

test('the interface routes by the path below its mount, and keeps the query', () => {
  expect(v1Path('/v1/jobs/a?x=1', '')).toBe('/v1/jobs/a?x=1')
  expect(v1Path('/a/b/v1', '/a/b')).toBe('/v1')
  expect(v1Path('/a/b/v1?wait=true&q=%20.', '/a/b')).toBe('/v1?wait=true&q=%20.')
})

test('a path outside of the mount is not routed to the interface', () => {
  for (const target of [
    '/',
    '',
    '*',
    '/v11',
    '/v2/jobs',
    '/V1/jobs',
    '//v1/jobs',
    '/x/v1/jobs',
    '?v1',
    'v1/jobs',
  ])
    expect(v1Path(target, ''), target).toBeUndefined()
  for (const target of ['/v1/jobs', '/mediator/v1', '/media', '/media/', '/media//v1', '/Media/v1'])
    expect(v1Path(target, '/media'), target).toBeUndefined()
})

test('a path that the URL parser changes is not routed to the interface', () => {
  for (const target of [
    '/x/../v1/generate',
    '/./v1/generate',
    '/%2e/v1/generate',
    '/v1/x/../jobs/a',
    '/v1/%2e%2e/v1/jobs/a',
    '/v1/./jobs/.%2E/jobs/a',
    '\\v1\\jobs\\a',
    '/v1\\jobs\\a',
    '/v1/jobs/a#x',
    '/v1/jobs/a ',
    '/v1/jobs/\ta',
    '/v1/jobs/\u00e9',
  ])
    expect(v1Path(target, ''), target).toBeUndefined()
  expect(v1Path('/media/v1/../../v1/jobs/a', '/media')).toBeUndefined()
  expect(v1Path('/media/../media/v1/jobs/a', '/media')).toBeUndefined()
})

test('a request target in absolute form is not routed to the interface', () => {
  expect(v1Path('http://evil.example/v1/jobs/a?n=1', '')).toBeUndefined()
  expect(v1Path('http://evil.example/media/v1', '/media')).toBeUndefined()
  expect(v1Path('//evil.example/v1/jobs/a', '')).toBeUndefined()
})

test('dots, slashes and other characters in a query do not change the path', () => {
  expect(v1Path('/v1/jobs?after=/../x', '')).toBe('/v1/jobs?after=/../x')
  expect(v1Path('/v1/jobs?a="\u00e9', '')).toBe('/v1/jobs?a=%22%C3%A9')
})

test('the target in a URL begins behind its authority, and is undefined where parsers disagree about that', () => {
  expect(targetOf('http://localhost:3000/v1/jobs?a=b')).toBe('/v1/jobs?a=b')
  expect(targetOf('https://[::1]/x/../v1')).toBe('/x/../v1')
  for (const url of [
    'http://a?b/v1/jobs',
    'http://a#b/v1',
    'http://a\\b/v1',
    'http://a b/v1',
    'http://u@a/v1',
    '/x/v1',
  ])
    expect(targetOf(url), url).toBeUndefined()
})

test('a path with malformed percent-encoding stays as it is', () => {
  expect(v1Path('/v1/jobs/%E0%A4%A', '')).toBe('/v1/jobs/%E0%A4%A')
  expect(v1Path('/v1/jobs/%00', '')).toBe('/v1/jobs/%00')
})
