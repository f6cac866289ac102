import { manualClock } from '@genmount/testing'
import { expect, test } from 'vitest'
import { maxStillMs, watchedDownload } from './watched-download.ts'

function fileOf(chunks: number) {
  const state = { given: 0, isReleased: false }
  const source = new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      pull(controller) {
        if (state.given === chunks) return controller.close()
        controller.enqueue(new Uint8Array([state.given++]))
      },
      cancel: () => void (state.isReleased = true),
    },
    { highWaterMark: 0 },
  )
  return { state, source }
}

test('a client that goes on reading gets all of it, however long it takes', async () => {
  const clock = manualClock()
  const { source } = fileOf(5)
  const reader = watchedDownload(source, clock).getReader()
  const read: number[] = []
  for (;;) {
    await clock.advance(maxStillMs - 1)
    const { done, value } = await reader.read()
    if (done) break
    read.push(...value)
  }
  expect(read).toEqual([0, 1, 2, 3, 4])
  expect(clock.pendingTimers).toBe(0)
})

test('a client that reads nothing for a minute is cut off, and the file is let go', async () => {
  for (const reads of [0, 2]) {
    const clock = manualClock()
    const { source, state } = fileOf(5)
    const reader = watchedDownload(source, clock).getReader()
    for (let i = 0; i < reads; i++) await reader.read()
    await clock.advance(maxStillMs - 1)
    expect(state.isReleased).toBe(false)
    await clock.advance(1)
    expect(state).toEqual({ given: reads, isReleased: true })
    await expect(reader.read()).rejects.toMatchObject({ code: 'request_timeout' })
    expect(clock.pendingTimers).toBe(0)
  }
})

test('a client that leaves lets the file go at once', async () => {
  const clock = manualClock()
  const { source, state } = fileOf(5)
  const download = watchedDownload(source, clock)
  await download.cancel()
  expect(state.isReleased).toBe(true)
  expect(clock.pendingTimers).toBe(0)
})

test('a file that breaks fails the download with its own error', async () => {
  const clock = manualClock()
  const broken = new ReadableStream<Uint8Array<ArrayBuffer>>({
    pull: () => Promise.reject(new Error('disk')),
  })
  await expect(new Response(watchedDownload(broken, clock)).text()).rejects.toThrow('disk')
  expect(clock.pendingTimers).toBe(0)
})
