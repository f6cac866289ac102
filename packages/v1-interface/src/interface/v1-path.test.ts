import { expect, test } from 'vitest'
import { v1Path } from './v1-path.ts'

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

test('dot segments in a path are resolved, encoded or not, and never lead out of the mount', () => {
  for (const target of [
    '/v1/x/../jobs/a',
    '/v1/%2e%2e/v1/jobs/a',
    '/v1/./jobs/.%2E/jobs/a',
    '\\v1\\jobs\\a'.replace('\\', '/'),
  ])
    expect(v1Path(target, ''), target).toBe('/v1/jobs/a')
  expect(v1Path('/media/v1/../../v1/jobs/a', '/media')).toBeUndefined()
  expect(v1Path('/media/../media/v1/jobs/a', '/media')).toBe('/v1/jobs/a')
})

test('of an absolute-form request target only the path is routed', () => {
  expect(v1Path('http://evil.example/v1/jobs/a?n=1', '')).toBe('/v1/jobs/a?n=1')
  expect(v1Path('http://evil.example/media/v1', '/media')).toBe('/v1')
  expect(v1Path('//evil.example/v1/jobs/a', '')).toBeUndefined()
})

test('a path with malformed percent-encoding stays as it is', () => {
  expect(v1Path('/v1/jobs/%E0%A4%A', '')).toBe('/v1/jobs/%E0%A4%A')
  expect(v1Path('/v1/jobs/%00', '')).toBe('/v1/jobs/%00')
})
