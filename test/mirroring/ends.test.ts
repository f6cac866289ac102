import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { sqliteBackend } from '@genmount/backend-sqlite'
import { memoryBackend, type Backend, type Clock } from '@genmount/core'
import { manualClock } from '@genmount/testing'
import { temporaryFolder } from '../temporary-folder.ts'
import { mirrorWorld, picture, providerOrigin, type OriginAnswer } from './mirror-world.ts'

/** Longer than the beginning by which the service tells what a file is. */
const largePicture = new Uint8Array(4096)
largePicture.set(picture)

/** Half of the picture at once, and the rest when the test says so. */
function heldBack() {
  const { promise: asked, resolve: tellAsked } = Promise.withResolvers<void>()
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const answer: OriginAnswer = (socket) => {
    socket.write(
      `HTTP/1.1 200 OK\r\ncontent-type: image/png\r\ncontent-length: ${largePicture.length}\r\n\r\n`,
    )
    socket.write(largePicture.subarray(0, 2048), () => tellAsked())
    void released.then(() => socket.end(largePicture.subarray(2048)))
  }
  return { answer, asked, release }
}

const backends: Record<string, (clock: Clock) => Promise<Backend>> = {
  memory: async (clock) => memoryBackend({ clock }),
  sqlite: async (clock) => sqliteBackend({ file: join(temporaryFolder(), 'jobs.db'), clock }),
}

test.each(Object.entries(backends))(
  'the copy of an output is deleted when it ends after its job was deleted, with jobs in %s',
  async (_, createBackend) => {
    const { answer, asked, release } = heldBack()
    const origin = await providerOrigin(answer)
    const clock = manualClock()
    const backend = await createBackend(clock)
    const world = await mirrorWorld({ clock, backend, retentionDays: 1 })
    const id = await world.completedWith(origin.url('1.png'))
    // The step that copies may be scheduled after the first advance of the clock.
    await vi.waitFor(async () => {
      await clock.advance(0)
      expect(await readdir(world.folder)).toHaveLength(1)
    }, 60_000)
    await asked

    // The process was away so long that another one has deleted the job.
    await backend.jobs.delete(id)
    release()
    await vi.waitFor(async () => expect(await readdir(world.folder)).toEqual([]), 60_000)
    await world.service.close()
    expect(await readdir(world.folder)).toEqual([])
  },
)
