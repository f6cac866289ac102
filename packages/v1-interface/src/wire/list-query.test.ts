import { expect, test } from 'vitest'
import { listCursor } from './list-cursor.ts'
import { listQuery } from './list-query.ts'

const cursor = listCursor('gen_019a3c')

test('GET /v1/jobs reads each of its parameters', () => {
  const metadata = 'metadata[shot]=17&metadata%5Ba%20b%5D=%C3%BC'
  const range = 'created_after=2026-01-31T12:00:00Z&created_before=2026-01-31T14:00:00.5%2B01:00'
  const path = `/v1/jobs?limit=100&cursor=${cursor}&status=failed&model=a/b&output_kind=video&${range}&${metadata}`
  expect(listQuery(path)).toEqual({
    limit: 100,
    after: 'gen_019a3c',
    status: 'failed',
    model: 'a/b',
    outputKind: 'video',
    createdFrom: Date.UTC(2026, 0, 31, 12),
    createdBefore: Date.UTC(2026, 0, 31, 13, 0, 0, 500),
    metadata: { shot: '17', 'a b': 'ü' },
  })
  expect(listQuery('/v1/jobs')).toEqual({})
  expect(listQuery('/v1/jobs?created_after=0001-01-01T00:00:00Z')).toEqual({ createdFrom: 0 })
})

test.each([
  ['limit', ['0', '101', '-1', '1.5', '', '1e1', ' 5', '٣']],
  ['cursor', ['', 'x', 'gen_019a3c', `${cursor}x`, cursor.slice(1), cursor.slice(0, -1), `${cursor}%3D`]],
  ['status', ['', 'done', 'COMPLETED', 'completed,failed']],
  ['model', ['']],
  ['output_kind', ['', 'audio', 'images']],
  [
    'created_after',
    ['', 'yesterday', '2026', '2026-01-31', '1767225600', '2026-01-31T12:00:00', '2026-02-30T12:00:00Z'],
  ],
  ['created_before', ['2026-01-31T12:00:00+01:00', '2026-13-01T00:00:00Z', '2026-01-31T25:00:00Z', 'NaN']],
  ['metadata', ['x']],
  ['offset', ['1']],
  ['constructor', ['1']],
  ['__proto__', ['1']],
])('a wrong %s is refused by its name', (name, values) => {
  for (const value of values)
    expect(() => listQuery(`/v1/jobs?${name}=${value}`), value).toThrow(
      expect.objectContaining({ code: 'invalid_request', param: name }),
    )
})

test('GET /v1/jobs refuses a filter by metadata that no job can have', () => {
  const many = Array.from({ length: 17 }, (_, n) => `metadata[${n}]=x`).join('&')
  for (const query of [
    many,
    'metadata[]=x',
    'metadata[__proto__]=x',
    `metadata[${'k'.repeat(65)}]=x`,
    `metadata[k]=${'v'.repeat(513)}`,
  ])
    expect(() => listQuery(`/v1/jobs?${query}`), query).toThrow(
      expect.objectContaining({ code: 'invalid_request', param: 'metadata' }),
    )
})

test('GET /v1/jobs refuses a repeated parameter, also with the same value', () => {
  for (const [name, value] of [
    ['limit', '5'],
    ['status', 'failed'],
    ['metadata[shot]', '17'],
  ])
    expect(() => listQuery(`/v1/jobs?${name}=${value}&${name}=${value}`)).toThrow(
      expect.objectContaining({ code: 'invalid_request', param: name }),
    )
})
