// @module-tag needs/chromium
import { expect, onTestFinished, test } from 'vitest'
import { proceduralProvider } from '@genmount/provider-procedural'
import { openContext } from '../browsers/open-page.ts'
import { served } from '../served.ts'
import { outputsOf } from '../provider-kit/outputs-of.ts'

test('Chromium plays a film of procedural-video, shows its duration and size, and seeks in it', async () => {
  const provider = proceduralProvider()
  onTestFinished(() => provider.close?.())
  const shape = { resolution: '480p', aspect_ratio: '1:1', duration: 2, fps: 12 }
  const input = { ...shape, prompt: 'a sailing boat at sunset' }
  const [bytes = new Uint8Array()] = await outputsOf(provider, 'procedural-video', input)
  const page = '<!doctype html><video src="/film.mp4" muted></video>'
  const origin = await served((request, response) => {
    if (request.url === '/') return response.setHeader('content-type', 'text/html').end(page)
    const range = /bytes=(\d+)-(\d*)/.exec(request.headers.range ?? '')
    const start = Number(range?.[1] ?? 0)
    const end = Number(range?.[2] || bytes.length - 1)
    response.writeHead(range ? 206 : 200, {
      'content-type': 'video/mp4',
      'accept-ranges': 'bytes',
      ...(range && { 'content-range': `bytes ${start}-${end}/${bytes.length}` }),
    })
    return response.end(bytes.subarray(start, end + 1))
  })
  const tab = await (await openContext()).newPage()
  await tab.goto(`${origin}/`)
  const seen = await tab.evaluate(async () => {
    const video = document.querySelector('video')
    if (video === null) throw new Error('no video')
    const event = (name: string) =>
      new Promise<void>((resolve, reject) => {
        video.addEventListener(name, () => resolve(), { once: true })
        video.addEventListener('error', () => reject(new Error(video.error?.message)), { once: true })
      })
    if (video.readyState < video.HAVE_FUTURE_DATA) await event('canplay')
    const canvas = document.createElement('canvas')
    const context = canvas.getContext('2d', { willReadFrequently: true })
    const pictureAt = async (seconds: number): Promise<number[]> => {
      const seeked = event('seeked')
      video.currentTime = seconds
      await seeked
      // The picture that was sought comes to the screen a little after the event.
      for (let redraws = 0; redraws < 20; redraws++) await new Promise(requestAnimationFrame)
      context?.drawImage(video, 0, 0, 64, 36)
      return [...(context?.getImageData(0, 0, 64, 36).data ?? [])].filter((_, i) => i % 4 !== 3)
    }
    const [early, late] = [await pictureAt(0.4), await pictureAt(1.7)]
    const brightness = late.reduce((sum, value) => sum + value, 0) / late.length
    const moved = late.filter((value, i) => Math.abs(value - early[i]!) > 3).length / late.length
    const { duration, videoWidth, videoHeight, currentTime } = video
    const ended = event('ended')
    await video.play()
    await ended
    return { duration, videoWidth, videoHeight, currentTime, brightness, moved, played: video.ended }
  })
  expect(seen).toMatchObject({
    duration: 2,
    videoWidth: 480,
    videoHeight: 480,
    currentTime: 1.7,
    played: true,
  })
  expect(seen.brightness).toBeGreaterThan(30)
  expect(seen.moved).toBeGreaterThan(0.02)
})
