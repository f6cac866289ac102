// @module-tag needs/chromium needs/ffmpeg
import { ffmpegFrame, variants } from '@genmount/variants'
import { fakeProvider } from '@genmount/testing'
import { expect, test } from 'vitest'
import { film } from '../variants/films.ts'
import { red } from '../variants/variants-world.ts'
import { openPlayground, servePlayground } from './playground-world.ts'

const alices = { owner: 'alice', input: { prompt: 'a fox' } }

test.each([
  [
    'loads small pictures, and first frames of films',
    [variants({ decodeFrame: ffmpegFrame() })],
    512,
    'IMG',
    320,
  ],
  ['loads the outputs of a service without such pictures, once', [], 1600, 'VIDEO', 0],
] as const)('the gallery %s', async (_what, plugins, pictureWidth, filmTag, filmWidth) => {
  const outputs = { image: await red(1600, 1200).jpeg().toBuffer(), video: await film('high.mp4') }
  const world = await servePlayground({
    plugins,
    providers: [
      fakeProvider({
        behave: ({ model }) => ({
          outputs: [{ bytes: outputs[model === 'fake-video' ? 'video' : 'image'] }],
        }),
      }),
    ],
  })
  // The page shows the newest one large.
  for (const model of ['fake-image', 'fake-video', 'fake-image']) {
    const { job } = await world.service.create({ ...alices, model })
    await world.service.waitFor(job.id, 'alice')
  }
  const { page, gallery, card, problems } = await openPlayground(world)
  const files: string[] = []
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url())
    if (pathname.includes('/v1/files/')) files.push(pathname + search)
  })
  const picture = gallery.locator('.tile-screen img').last()
  await expect
    .poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth))
    .toBe(pictureWidth)
  const shown = gallery.locator('.tile-screen :is(img, video)').nth(1)
  await expect.poll(() => shown.evaluate(({ tagName }) => tagName)).toBe(filmTag)
  if (filmWidth > 0)
    await expect.poll(() => shown.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(filmWidth)

  files.length = 0
  await gallery.getByRole('button').last().click()
  const whole = card.locator('img.media')
  await expect.poll(() => whole.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(1600)
  expect(files).toHaveLength(plugins.length)
  expect(problems).toEqual([])
})
