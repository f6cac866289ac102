// @module-tag needs/chromium needs/ffmpeg
import { fakeProvider } from '@genmount/testing'
import { ffmpegFrame, variants } from '@genmount/variants'
import { expect, test } from 'vitest'
import { film } from '../variants/films.ts'
import { openPlayground, servePlayground } from './playground-world.ts'

test.each([
  [
    'the first frame from a service that makes such pictures',
    [variants({ decodeFrame: ffmpegFrame() })],
    true,
  ],
  ['a frame of its own from a service that makes no pictures of films', [], false],
] as const)('a film that nobody has played shows %s', async (_what, plugins, hasPoster) => {
  const bytes = await film('high.mp4')
  const world = await servePlayground({
    plugins,
    providers: [fakeProvider({ behave: () => ({ outputs: [{ bytes }] }) })],
  })
  const { job } = await world.service.create({
    owner: 'alice',
    model: 'fake-video',
    input: { prompt: 'a fox' },
  })
  await world.service.waitFor(job.id, 'alice')
  const { page, card, gallery, problems } = await openPlayground(world)
  const shown = card.locator('video.media')
  await expect
    .poll(() => shown.evaluate((video: HTMLVideoElement) => [video.paused, video.readyState >= 2]))
    .toEqual([true, true])
  await expect
    .poll(async () => ((await shown.getAttribute('poster')) ?? '').startsWith('blob:'))
    .toBe(hasPoster)
  const tile = gallery.locator('.tile-screen :is(img, video)').first()
  const isDrawn = (media: HTMLImageElement | HTMLVideoElement) =>
    media instanceof HTMLVideoElement ? media.readyState >= 2 : media.naturalWidth > 0
  await expect.poll(() => tile.evaluate(isDrawn)).toBe(true)
  for (const width of [390, 1440]) {
    await page.setViewportSize({ width, height: 900 })
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(
      0,
    )
  }
  expect(problems).toEqual([])
})
