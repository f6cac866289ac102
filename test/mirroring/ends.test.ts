import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { sqliteBackend } from '@genmount/backend-sqlite'
import { memoryBackend, type Backend, type Clock } from '@genmount/core'
import { manualClock } from '@genmount/testing'
import {
  answering,
  mirrorWorld,
  picture,
  providerOrigin,
  sendPicture,
  temporaryFolder,
  type OriginAnswer,
} from './mirror-world.ts'

/** Half of the picture at once, and the rest when the test says so. */
function heldBack() {
  const { promise: asked, resolve: tellAsked } = Promise.withResolvers<void>()
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const answer: OriginAnswer = (socket) => {
    socket.write(`HTTP/1.1 200 OK\r\ncontent-type: image/png\r\ncontent-length: ${picture.length}\r\n\r\n`)
    socket.write(picture.subarray(0, 20), () => tellAsked())
    void released.then(() => socket.end(picture.subarray(20)))
  }
  return { answer, asked, release }
}

const backends: Record<string, (clock: Clock) => Promise<Backend>> = {
  memory: async (clock) => memoryBackend({ clock }),
  sqlite: async (clock) => sqliteBackend({ file: join(await temporaryFolder(), 'jobs.db'), clock }),
}

describe.each(Object.entries(backends))('with jobs in %s', (_, createBackend) => {
  test('a job that expires while its output is being copied is deleted with it, when the copy has ended', async () => {
    const { answer, asked, release } = heldBack()
    const origin = await providerOrigin(answering(503, {}))
    const clock = manualClock()
    const backend = await createBackend(clock)
    const world = await mirrorWorld({ clock, backend, retentionDays: 1 })
    const id = await world.completedWith(origin.url('1.png'))
    const { expiresAt } = await world.driveUntil(id, ({ attempts }) => attempts === 1)

    origin.answer = answer
    clock.set(expiresAt - 15_000)
    await clock.advance(5_000)
    await asked
    await clock.advance(20_000)
    expect((await world.ask(`/v1/jobs/${id}`)).status).toBe(404)
    expect(await backend.jobs.get(id)).toBeDefined()

    release()
    await vi.waitFor(async () => expect(await backend.jobs.get(id)).not.toHaveProperty('claimedUntil'))
    expect(await readdir(world.folder)).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/)])
    await clock.advance(5_000)
    await vi.waitFor(async () => expect(await backend.jobs.get(id)).toBeUndefined())
    expect(await readdir(world.folder)).toEqual([])
  })

  test('a copy that ends after its job was deleted is deleted too', async () => {
    const { answer, asked, release } = heldBack()
    const origin = await providerOrigin(answer)
    const clock = manualClock()
    const backend = await createBackend(clock)
    const world = await mirrorWorld({ clock, backend, retentionDays: 1 })
    const id = await world.completedWith(origin.url('1.png'))
    await clock.advance(0)
    await asked
    await vi.waitFor(async () => expect(await readdir(world.folder)).toHaveLength(1))

    // The process was away so long that its claim has run out.
    clock.set((await backend.jobs.get(id))?.expiresAt ?? 0)
    await clock.advance(5_000)
    await vi.waitFor(async () => expect(await backend.jobs.get(id)).toBeUndefined())
    release()
    await vi.waitFor(async () => expect(await readdir(world.folder)).toEqual([]))
    await world.service.close()
    expect(await readdir(world.folder)).toEqual([])
  })

  test('a service that closes breaks its copies off, and the next one makes them', async () => {
    const { answer, asked } = heldBack()
    const origin = await providerOrigin(answer)
    const clock = manualClock()
    const backend = await createBackend(clock)
    // The next service has the same store.
    const first = await mirrorWorld({ clock, backend: { ...backend, close: async () => {} } })
    const id = await first.completedWith(origin.url('1.png'))
    await clock.advance(0)
    await asked
    await first.service.close()
    await origin.idle()
    expect(await readdir(first.folder)).toEqual([])

    origin.answer = sendPicture
    const { scheduler } = await createBackend(clock)
    const second = await mirrorWorld({ clock, folder: first.folder, backend: { ...backend, scheduler } })
    second.service.start()
    await second.driveToRest(id)
    expect(await second.locationOf(id)).toContain('/v1/outputs/')
    expect(await readdir(first.folder)).toHaveLength(1)
    expect(first.log.errors).toEqual([])
  })
})
