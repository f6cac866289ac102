import { manualClock } from '@genmount/testing'
import { expect, test } from 'vitest'
import { maxStillMs, watchedDownload } from './watched-download.ts'

function fileOf(chunks: number, fault?: Error) {
  const state = { given: 0, isReleased: false, isLetGo: false }
  const source = new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      pull(controller) {
        if (state.given === chunks) return fault ? controller.error(fault) : controller.close()
        controller.enqueue(new Uint8Array([state.given++]))
      },
      cancel: () => void (state.isReleased = true),
    },
    { highWaterMark: 0 },
  )
  return { state, source, letGo: () => void (state.isLetGo = true) }
}

test('a client that keeps reading gets the whole file, however long that takes', async () => {
  const clock = manualClock()
  const { source, letGo, state } = fileOf(5)
  const reader = (await watchedDownload(source, clock, letGo)).getReader()
  const read: number[] = []
  for (;;) {
    await clock.advance(maxStillMs - 1)
    expect(state.isLetGo).toBe(false)
    const { done, value } = await reader.read()
    if (done) break
    read.push(...value)
  }
  expect(read).toEqual([0, 1, 2, 3, 4])
  expect(state.isLetGo).toBe(true)
  expect(clock.pendingTimers).toBe(0)
})

test('a download whose client reads nothing for a minute is cut off, and its file is released', async () => {
  for (const reads of [1, 2]) {
    const clock = manualClock()
    const { source, letGo, state } = fileOf(5)
    const reader = (await watchedDownload(source, clock, letGo)).getReader()
    for (let i = 0; i < reads; i++) await reader.read()
    await clock.advance(maxStillMs - 1)
    expect(state).toMatchObject({ isReleased: false, isLetGo: false })
    await clock.advance(1)
    expect(state).toEqual({ given: reads, isReleased: true, isLetGo: true })
    await expect(reader.read()).rejects.toMatchObject({ code: 'request_timeout' })
    expect(clock.pendingTimers).toBe(0)
  }
})

test('a download whose client never begins to read is cut off after a minute', async () => {
  const clock = manualClock()
  const { source, letGo, state } = fileOf(5)
  await watchedDownload(source, clock, letGo)
  await clock.advance(maxStillMs)
  expect(state).toEqual({ given: 1, isReleased: true, isLetGo: true })
})

test('a client that leaves a download releases the file at once', async () => {
  const clock = manualClock()
  const { source, letGo, state } = fileOf(5)
  const download = await watchedDownload(source, clock, letGo)
  await download.cancel()
  expect(state).toMatchObject({ isReleased: true, isLetGo: true })
  expect(clock.pendingTimers).toBe(0)
})

test('a file that can not be read fails the download with its own error, before the first byte where possible', async () => {
  const clock = manualClock()
  for (const given of [0, 2]) {
    const { source, letGo, state } = fileOf(given, new Error('disk'))
    const download = watchedDownload(source, clock, letGo)
    if (given === 0) {
      await expect(download).rejects.toThrow('disk')
    } else {
      await expect(new Response(await download).text()).rejects.toThrow('disk')
      expect(state.isLetGo).toBe(true)
    }
    expect(clock.pendingTimers).toBe(0)
  }
})
