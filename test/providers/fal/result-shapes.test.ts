import { expect, test } from 'vitest'
import type { FalReply } from './fal-fixtures.ts'
import { falWorld } from './fal-world.ts'

const link = (name: string) => `https://v3.fal.media/files/rabbit/${name}`
const file = (name: string, content_type?: string) => ({ url: link(name), content_type })
const picture = (name: string) => file(name, 'image/png')
const film = (name: string) => file(name, 'video/mp4')

/**
 * Results by the endpoints that give them: fal-ai/fal-js libs/client/src/types/endpoints.ts at 381105e (2026-08-02), the
 * types `...Output` of `EndpointTypeMap`. None has `x-fal-billable-units`.
 */
const films: readonly (readonly [string, object, readonly string[]])[] = [
  [
    'fal-ai/ffmpeg-api/compose',
    { video_url: link('composed.mp4'), thumbnail_url: link('thumbnail.jpg') },
    ['composed.mp4'],
  ],
  [
    'fal-ai/ltx-2.3-quality/hdr',
    {
      exr_frames_url: file('frames.zip', 'application/zip'),
      preview_video: film('hdr.mp4'),
      prompt: 'a fox',
      seed: 7,
    },
    ['hdr.mp4'],
  ],
  [
    'sonilo/v1.1/video-to-video-music',
    { video: film('a.mp4'), videos: [film('a.mp4'), film('b.mp4')] },
    ['a.mp4', 'b.mp4'],
  ],
  ['mirelo-ai/sfx1.6/video-to-video', { video: [film('a.mp4'), film('b.mp4')] }, ['a.mp4', 'b.mp4']],
  [
    'fal-ai/birefnet/v2/video',
    { video: film('cut.mp4'), mask_video: file('mask.mp4', 'application/octet-stream') },
    ['cut.mp4'],
  ],
  ['fal-ai/sa2va/8b/video', { masks: [film('mask.mp4')], output: 'A fox.' }, ['mask.mp4']],
]

const images: readonly (readonly [string, object, readonly string[]])[] = [
  [
    'bria/fibo-edit/add_object_by_text',
    { image: picture('one.png'), images: [picture('one.png')], structured_instruction: {} },
    ['one.png'],
  ],
  ['bria/fibo/generate', { image: picture('one.png'), images: [], structured_prompt: {} }, ['one.png']],
  ['fal-ai/birefnet/v2', { image: picture('cut.png'), mask_image: picture('mask.png') }, ['cut.png']],
  [
    'fal-ai/image-preprocessors/midas',
    { depth_map: picture('depth.png'), normal_map: picture('normal.png') },
    ['depth.png', 'normal.png'],
  ],
  [
    'fal-ai/sam2/auto-segment',
    { combined_mask: { url: link('all.png') }, individual_masks: [picture('1.png')] },
    ['all.png', '1.png'],
  ],
]

const shapes = [
  ...films.map((row) => ['kling-video', 0.07, ...row] as const),
  ...images.map((row) => ['flux-schnell', 0.003, ...row] as const),
]

test.each(shapes)(
  'a fal job of %s delivers and prices at $%d each file of the result of %s once',
  async (model, price, _endpoint, json, names) => {
    const { fake, create, finished } = await falWorld()
    fake.taskDefaults.outcome = { status: 200, json } satisfies FalReply
    const job = await finished(await create({ prompt: 'a fox' }, model))
    expect(job).toMatchObject({ phase: 'completed', outputs: names.map((name) => ({ url: link(name) })) })
    expect(job.costUsd).toBeCloseTo(names.length * price)
  },
)

test('a fal result without a file of the output kind fails the job as output_invalid', async () => {
  const { fake, create, finished } = await falWorld()
  fake.taskDefaults.outcome = {
    status: 200,
    json: { audio: file('a.wav', 'audio/wav'), thumbnail: picture('t.png') },
  }
  const job = await finished(await create({ prompt: 'a fox' }, 'kling-video'))
  expect(job).toMatchObject({ phase: 'failed', error: { code: 'output_invalid' } })
})
