// @module-tag needs/swift
import { beforeEach, describe, expect, test } from 'vitest'
import type { FileStore } from '@genmount/core'
import { s3Files, type S3FilesOptions } from '@genmount/files-s3'
import { manualClock } from '@genmount/testing'
import { verifyingServer } from './servers/verifying-server.ts'

const minuteMs = 60_000
const picture = new Uint8Array(200_000).map((_, index) => index % 251)
let options: S3FilesOptions
let files: FileStore

beforeEach(async () => {
  options = await (await verifyingServer()).createBucket()
  files = s3Files(options)
  await files.put('gen_1-0', picture, 'image/png')
})

/** A store in the same bucket with some other options. */
const changed = (change: Partial<S3FilesOptions>) => s3Files({ ...options, ...change })
const linkOf = async (store = files, untilAt = Date.now() + 10 * minuteMs) =>
  (await store.link?.('gen_1-0', untilAt)) ?? ''
const statusOf = async (url: string) => {
  const reply = await fetch(url)
  await reply.body?.cancel()
  return reply.status
}

describe('a link opens the file', () => {
  test('with its content type, the file name that /v1/outputs gives it, and a private cache-control', async () => {
    const reply = await fetch(await linkOf())
    expect(await reply.bytes()).toEqual(picture)
    expect(Object.fromEntries(reply.headers)).toMatchObject({
      'content-type': 'image/png',
      'content-disposition': 'inline; filename="gen_1-0.png"',
      'cache-control': 'private, max-age=900, immutable',
    })
  })

  test('with the name that the service has given the file', async () => {
    await files.put('gen_1-0', picture, 'image/png', { name: 'fake-image-a-kite-1' })
    const { headers } = await fetch(await linkOf())
    expect(headers.get('content-disposition')).toBe('inline; filename="fake-image-a-kite-1.png"')
    await files.put('gen_1-0', picture, 'image/png')
  })

  test('as a download if a browser could run the file', async () => {
    for (const [given, sent, name] of [
      ['image/svg+xml', 'image/svg+xml', 'gen_1-0.svg'],
      ['text/html; charset=utf-8', 'application/octet-stream', 'gen_1-0'],
      ['text/html\r\nx-evil: 1', 'application/octet-stream', 'gen_1-0'],
    ] as const) {
      await files.put('gen_1-0', picture, given)
      const { headers } = await fetch(await linkOf())
      expect(headers.get('content-type')).toBe(sent)
      expect(headers.get('content-disposition')).toBe(`attachment; filename="${name}"`)
      expect(headers.has('x-evil')).toBe(false)
    }
  })

  test('in ranges, for players that seek', async () => {
    const reply = await fetch(await linkOf(), { headers: { range: 'bytes=1000-1999' } })
    expect([reply.status, reply.headers.get('content-range')]).toEqual([206, 'bytes 1000-1999/200000'])
    expect(await reply.bytes()).toEqual(picture.subarray(1000, 2000))
  })
})

describe('a link is refused', () => {
  test('when one character of the link was changed', async () => {
    const link = await linkOf()
    expect(await statusOf(link)).toBe(200)
    const { pathname, searchParams } = new URL(link)
    const places = [...searchParams].map(([name]) => link.indexOf(`${name}=`) + name.length + 2)
    for (const at of [...places, link.length - 1, link.indexOf(pathname) + pathname.length - 1]) {
      const other = link[at] === '1' ? '2' : '1'
      expect([400, 403]).toContain(await statusOf(link.slice(0, at) + other + link.slice(at + 1)))
    }
  })

  test('when the link was signed with a wrong secret', async () => {
    const credentials = { accessKeyId: 'test:tester', secretAccessKey: 'Testing' }
    expect(await statusOf(await linkOf(changed({ credentials })))).toBe(403)
  })

  test('when the link has expired', async () => {
    const now = Date.now()
    expect(await statusOf(await linkOf(files, now - 2000))).toBe(403)
    // An hour at most, so a clock that is 61 minutes behind signs what has ended, whatever it is asked for.
    const behind = changed({ clock: manualClock(now - 61 * minuteMs) })
    expect(await statusOf(await linkOf(behind, now + 10 * minuteMs))).toBe(403)
    const recent = changed({ clock: manualClock(now - 40 * minuteMs) })
    expect(await statusOf(await linkOf(recent, now + 10 * minuteMs))).toBe(200)
  })

  test('when a client uses the link to write or delete', async () => {
    const link = await linkOf()
    expect((await fetch(link, { method: 'PUT', body: 'other' })).status).toBe(403)
    expect((await fetch(link, { method: 'DELETE' })).status).toBe(403)
    expect(await statusOf(link)).toBe(200)
  })
})

/** From when and until when a link is good, in milliseconds since the Unix epoch. */
function lifeOf(link: string): readonly [from: number, until: number] {
  const { searchParams } = new URL(link)
  const date = searchParams.get('X-Amz-Date') ?? ''
  const from = Date.parse(date.replace(/^(....)(..)(..)T(..)(..)(..)Z$/, '$1-$2-$3T$4:$5:$6Z'))
  return [from, from + Number(searchParams.get('X-Amz-Expires')) * 1000]
}

describe('the life of a link', () => {
  const start = Date.parse('2026-01-01T12:00:00Z')

  test('ends when the caller says, to the second, and after an hour at most', async () => {
    for (const minute of [0, 7.5, 14.99])
      for (const lifeMs of [
        1,
        999,
        1000,
        90_500,
        50 * minuteMs,
        59 * minuteMs,
        61 * minuteMs,
        9999 * minuteMs,
      ]) {
        const now = start + minute * minuteMs
        const store = changed({ clock: manualClock(now) })
        const [from, until] = lifeOf(await linkOf(store, now + lifeMs))
        expect(from).toBeLessThanOrEqual(now)
        expect(until).toBeGreaterThan(from)
        expect(until).toBeLessThanOrEqual(now + Math.min(lifeMs, 60 * minuteMs))
        expect(until).toBeGreaterThan(now + Math.min(lifeMs - 1000, 45 * minuteMs - 1000))
      }
  })

  test('begins at a quarter of an hour, so that all callers within it get the same link', async () => {
    const clock = manualClock(start)
    const store = changed({ clock })
    const ask = () => linkOf(store, clock.now() + 60 * minuteMs)
    const first = await ask()
    await clock.advance(14 * minuteMs)
    expect(await ask()).toBe(first)
    await clock.advance(minuteMs)
    expect(await ask()).not.toBe(first)
  })

  test('begins at once with temporary credentials, which may be younger than the quarter of an hour', async () => {
    const credentials = { accessKeyId: 'KEYID', secretAccessKey: 'secret', sessionToken: 'a token' }
    const now = start + 7 * minuteMs
    const link = await linkOf(changed({ credentials, clock: manualClock(now) }), now + 10 * minuteMs)
    expect(lifeOf(link)).toEqual([now, now + 10 * minuteMs])
    expect(new URL(link).searchParams.get('X-Amz-Security-Token')).toBe('a token')
  })
})
