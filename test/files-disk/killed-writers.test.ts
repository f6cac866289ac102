import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readdir, rm, utimes } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { diskFiles } from '@genmount/files-disk'
import { runtimes } from '../processes/runtimes.ts'
import { filmChunk, filmChunks, filmStream, wholeFilm } from './film.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'genmount-killed-'))
})
afterEach(() => rm(folder, { recursive: true }))

/** Runs a script on the folder and kills it with SIGKILL as soon as it has printed so many lines. @returns its lines */
async function killAfter(lineCount: number, script: string, ...args: string[]): Promise<string[]> {
  const [binary, ...options] = runtimes.node
  const child = spawn(binary, [...options, join(import.meta.dirname, script), folder, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exited = once(child, 'exit')
  const lines: string[] = []
  for await (const line of createInterface(child.stdout)) {
    lines.push(line)
    if (lines.length === lineCount) child.kill('SIGKILL')
  }
  expect(await exited).toEqual([null, 'SIGKILL'])
  return lines
}

async function readBack(key: string) {
  const file = await diskFiles({ folder }).open?.(key)
  return file && { contentType: file.contentType, sha256: sha256(await new Response(file.read()).bytes()) }
}

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
const halves = async () => (await readdir(folder)).filter((name) => name.endsWith('.incoming'))

test.each([0, 1, filmChunks / 2, filmChunks])(
  'killed when %i of 40 chunks have come, a writer leaves the old file as it was and no fresh one',
  async (heldAt) => {
    await diskFiles({ folder }).put('old', filmStream(1), 'video/one')
    await killAfter(2, 'held-writer.ts', String(heldAt))

    expect(await readBack('old')).toEqual({ contentType: 'video/one', sha256: sha256(await wholeFilm(1)) })
    expect(await readBack('fresh')).toBeUndefined()
    expect(await halves()).toHaveLength(2)

    const twoHoursAgo = Date.now() / 1000 - 7200
    for (const name of await halves()) await utimes(join(folder, name), twoHoursAgo, twoHoursAgo)
    await diskFiles({ folder }).put('fresh', filmStream(3), 'video/three')
    expect(await halves()).toEqual([])
    expect(await readBack('old')).toEqual({ contentType: 'video/one', sha256: sha256(await wholeFilm(1)) })
    expect(await readBack('fresh')).toEqual({
      contentType: 'video/three',
      sha256: sha256(await wholeFilm(3)),
    })
  },
)

test('killed at any moment, a writer leaves the last version it told of, or the next one, whole', async () => {
  for (let round = 0; round < 20; round++) {
    await rm(folder, { recursive: true })
    const lines = await killAfter(1 + (round % 4), 'busy-writer.ts')
    const told = Number(lines.at(-1)?.split(' ')[1])
    const found = await readBack('film')
    const version = Number(found?.contentType.split('/')[1])
    expect(version).toBeGreaterThanOrEqual(told)
    expect(version).toBeLessThanOrEqual(told + 1)
    expect(found?.sha256).toBe(sha256(await wholeFilm(version)))
    expect((await readdir(folder)).length).toBeLessThanOrEqual(2)
  }
})

test('a file that is still coming in is left alone by the next process', async () => {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
  const stored = diskFiles({ folder }).put('film', readable, 'video/one')
  const writer = writable.getWriter()
  await writer.write(filmChunk(1, 0))
  await diskFiles({ folder }).put('other', filmStream(2), 'video/two')
  await writer.close()
  await stored
  expect(await readBack('film')).toEqual({ contentType: 'video/one', sha256: sha256(filmChunk(1, 0)) })
})
