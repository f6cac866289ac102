// @module-tag needs/small-disk
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fakeFile } from '@genmount/testing'
import { outputOf } from '../processes/run-program.ts'
import { answering, mirrorWorld, providerOrigin } from './mirror-world.ts'

const place = mkdtempSync(join(tmpdir(), 'genmount-full-disk-'))
const disk = join(place, 'disk')

beforeAll(async () => {
  mkdirSync(disk)
  await outputOf(['mount', '-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', disk])
})
afterAll(async () => {
  await outputOf(['umount', disk])
  rmSync(place, { recursive: true })
})

test('a job completes with the link of its provider while the disk is full, and its output is copied once there is room', async () => {
  const film = new Uint8Array(500_000)
  film.set(fakeFile('video').bytes)
  const origin = await providerOrigin(answering(200, { 'content-type': 'video/mp4' }, film))
  const filler = join(disk, 'filler')
  await writeFile(filler, new Uint8Array(800_000))
  const folder = join(disk, 'outputs')
  const world = await mirrorWorld({ folder })

  const id = await world.completedWith(origin.url('film'))
  const completed = await world.jobText(id)
  await world.driveUntil(id, ({ attempts }) => attempts === 6)
  expect(await world.locationOf(id)).toBe(origin.url('film'))
  expect(await readdir(folder)).toEqual([])
  expect(world.log.warnings.filter((line) => line.includes(id))).toEqual([
    expect.stringContaining(`Files in ${folder}: no space is left on the disk (ENOSPC).`),
  ])
  expect(world.log.errors).toEqual([])

  await rm(filler)
  await world.driveToRest(id)
  const reply = await world.ask(await world.locationOf(id), { headers: {} })
  expect(reply.headers.get('content-type')).toBe('video/mp4')
  expect(Buffer.compare(await reply.bytes(), film)).toBe(0)
  expect(await world.jobText(id)).toBe(completed)
  expect(world.provider.ledger).toHaveLength(1)
})
