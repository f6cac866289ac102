import type { JsonObject } from '@genmount/core'
import type { KlingModel } from '@genmount/provider-kling'
import { expect, test } from 'vitest'
import { fileAt } from './kling-fake.ts'
import { clientToken, clip, film, image, kling } from './kling-world.ts'

const picture = 'https://pictures.example.com/fox.png'
const png =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const options = { external_task_id: clientToken }

test.each<[string, KlingModel, JsonObject, string, object]>([
  [
    'a film of 3.0 by its prompt',
    film('kling-3.0'),
    { prompt: 'a fox', resolution: '4k', aspect_ratio: '9:16', duration: 15, sound: true },
    '/text-to-video/kling-3.0',
    {
      prompt: 'a fox',
      settings: { resolution: '4k', aspect_ratio: '9:16', duration: 15, audio: 'native' },
      options,
    },
  ],
  [
    'a film of 3.0 with its frames and an element, in one shot',
    { ...film('kling-3.0'), providerOptions: { multi_shot: false }, allowedProviderOptions: ['element'] },
    {
      prompt: 'a fox',
      image: png,
      last_frame: picture,
      sound: false,
      provider_options: { element: [{ element_id: '173', id: 'element_1' }] },
    },
    '/image-to-video/kling-3.0',
    {
      contents: [
        { type: 'prompt', text: 'a fox' },
        { type: 'first_frame', url: png.replace(/^.*,/, '') },
        { type: 'last_frame', url: picture },
        { type: 'element', element_id: '173', id: 'element_1' },
      ],
      settings: { audio: 'off', multi_shot: false },
      options,
    },
  ],
  [
    'a film of 3.0 Turbo with its first frame',
    film('kling-3.0-turbo'),
    { image: picture, resolution: '1080p' },
    '/image-to-video/kling-3.0-turbo',
    { contents: [{ type: 'first_frame', url: picture }], settings: { resolution: '1080p' }, options },
  ],
  [
    'a film of 3.0 Omni by its prompt, whose shape Kling requires',
    film('kling-3.0-omni'),
    { prompt: 'a fox', reference_images: [picture, picture] },
    '/omni-video/kling-3.0-omni',
    {
      contents: [
        { type: 'prompt', text: 'a fox' },
        { type: 'refer_image', url: picture },
        { type: 'refer_image', url: picture },
      ],
      settings: { aspect_ratio: '16:9' },
      options,
    },
  ],
  [
    'a film of 3.0 Omni after another film',
    film('kling-3.0-omni'),
    { prompt: 'a fox', reference_videos: [clip], duration: 5 },
    '/omni-video/kling-3.0-omni',
    {
      contents: [
        { type: 'prompt', text: 'a fox' },
        { type: 'feature_video', url: clip },
      ],
      settings: { duration: 5 },
      options,
    },
  ],
  [
    'a film that 3.0 Omni edits, with its own sound and without further shots',
    film('kling-3.0-omni'),
    { prompt: 'a red fox', video: clip, sound: true },
    '/omni-video/kling-3.0-omni',
    {
      contents: [
        { type: 'prompt', text: 'a red fox' },
        { type: 'base_video', url: clip },
      ],
      settings: { multi_shot: false, audio: 'original' },
      options,
    },
  ],
  [
    'a film of 2.6 with sound, which it has only at 1080p',
    film('kling-2.6'),
    { prompt: 'a fox', sound: true, duration: 10 },
    '/text-to-video/kling-2.6',
    { prompt: 'a fox', settings: { resolution: '1080p', audio: 'native', duration: 10 }, options },
  ],
  [
    'a picture',
    image('kling-v3'),
    { prompt: 'a fox', negative_prompt: 'a dog', resolution: '2K', aspect_ratio: '21:9', num_outputs: 3 },
    '/v1/images/generations',
    {
      model_name: 'kling-v3',
      prompt: 'a fox',
      negative_prompt: 'a dog',
      resolution: '2k',
      aspect_ratio: '21:9',
      n: 3,
      ...options,
    },
  ],
  [
    'a picture after another one',
    image('kling-v3'),
    { prompt: 'a fox', image: png },
    '/v1/images/generations',
    { model_name: 'kling-v3', prompt: 'a fox', image: png.replace(/^.*,/, ''), ...options },
  ],
  [
    'a picture of Omni after several others',
    image('kling-v3-omni'),
    { prompt: 'a fox', image: [picture], reference_images: [picture], resolution: '4k' },
    '/v1/images/omni-image',
    {
      model_name: 'kling-v3-omni',
      prompt: 'a fox',
      image_list: [{ image: picture }, { image: picture }],
      resolution: '4k',
      ...options,
    },
  ],
  [
    'a film at the older endpoint',
    film('kling-v3'),
    { prompt: 'a fox', resolution: '1080p', duration: 5, sound: false, aspect_ratio: '1:1' },
    '/v1/videos/text2video',
    {
      model_name: 'kling-v3',
      prompt: 'a fox',
      mode: 'pro',
      duration: '5',
      sound: 'off',
      aspect_ratio: '1:1',
      ...options,
    },
  ],
  [
    'a film with both frames at the older endpoint',
    film('kling-v2-6'),
    { prompt: 'a fox', image: picture, last_frame: picture, sound: true },
    '/v1/videos/image2video',
    {
      model_name: 'kling-v2-6',
      prompt: 'a fox',
      image: picture,
      image_tail: picture,
      sound: 'on',
      mode: 'pro',
      ...options,
    },
  ],
  [
    'a film of Omni at the older endpoint',
    film('kling-v3-omni'),
    { prompt: 'a fox', image: picture, last_frame: picture, reference_images: [picture], resolution: '720p' },
    '/v1/videos/omni-video',
    {
      model_name: 'kling-v3-omni',
      prompt: 'a fox',
      mode: 'std',
      image_list: [
        { image_url: picture, type: 'first_frame' },
        { image_url: picture, type: 'end_frame' },
        { image_url: picture },
      ],
      ...options,
    },
  ],
  [
    'a film that Omni edits at the older endpoint',
    film('kling-v3-omni'),
    { prompt: 'a red fox', video: clip, sound: false },
    '/v1/videos/omni-video',
    {
      model_name: 'kling-v3-omni',
      prompt: 'a red fox',
      video_list: [{ video_url: clip, refer_type: 'base', keep_original_sound: 'no' }],
      ...options,
    },
  ],
])(
  'Kling accepts the request for %s, and the job ends with its output',
  async (_what, model, input, path, body) => {
    const { fake, end } = await kling({ it: model })
    const file = model.outputKind === 'image' ? fileAt('it-0.png') : fileAt('it.mp4')
    const report = await end('it', input)
    expect(fake.ledger.map((charge) => [charge.path, charge.body])).toEqual([[path, body]])
    expect(report).toMatchObject({ state: 'succeeded', outputs: expect.arrayContaining([{ url: file }]) })
  },
)

test.each<[string, KlingModel, JsonObject]>([
  [
    'last_frame is only accepted together with image.',
    film('kling-3.0'),
    { prompt: 'a', last_frame: picture },
  ],
  [
    'aspect_ratio is not accepted together with image',
    film('kling-3.0'),
    { image: picture, aspect_ratio: '16:9' },
  ],
  [
    'aspect_ratio is not accepted together with image',
    film('kling-v3'),
    { image: picture, aspect_ratio: '16:9' },
  ],
  ['video is not accepted together with image.', film('kling-3.0-omni'), { image: picture, video: clip }],
  [
    'video is not accepted together with reference_videos.',
    film('kling-3.0-omni'),
    { video: clip, reference_videos: [clip] },
  ],
  [
    'sound is not accepted together with reference_videos.',
    film('kling-3.0-omni'),
    { prompt: 'a', reference_videos: [clip], sound: true },
  ],
  [
    'negative_prompt is not accepted together with image.',
    image('kling-v3'),
    { prompt: 'a', negative_prompt: 'b', image: picture },
  ],
])('a job of Kling fails before it costs anything: %s', async (message, model, input) => {
  const { fake, submit } = await kling({ it: model })
  const report = await submit('it', input)
  expect(report).toMatchObject({
    state: 'failed',
    code: 'provider_rejected',
    message: expect.stringContaining(message),
  })
  expect(fake.requests).toEqual([])
})

test.each([
  ['3.0 Turbo', film('kling-3.0-turbo'), { prompt: 'a', last_frame: picture }, 'last_frame'],
  ['3.0 Turbo', film('kling-3.0-turbo'), { prompt: 'a', resolution: '4k' }, 'resolution'],
  ['2.6', film('kling-2.6'), { prompt: 'a', duration: 7 }, 'duration'],
  ['3.0', film('kling-3.0'), { prompt: 'a', reference_images: [picture] }, 'reference_images'],
  ['images 3.0', image('kling-v3'), { prompt: 'a', resolution: '4k' }, 'resolution'],
])(
  'a client of Kling %s learns which field the model lacks or limits',
  async (_name, model, input, field) => {
    const { provider } = await kling({ it: model })
    const { issues } = await provider.models[0]!.input['~standard'].validate(input)
    expect(JSON.stringify(issues)).toContain(field)
  },
)
