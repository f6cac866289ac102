import { type ComfyuiModel, comfyuiProvider, type ComfyuiProviderOptions } from '@genmount/provider-comfyui'
import { onTestFinished } from 'vitest'
import { serviceWorld, type ServiceWorldOptions } from '../service-world.ts'
import type { VendorReply } from '../vendor-server.ts'
import { token } from './comfyui-cases.ts'
import { imageToVideo, textToImage } from './comfyui-shapes.ts'
import { fakeComfyui, type FakeComfyuiOptions } from './fake-comfyui.ts'

export const models: Readonly<Record<string, ComfyuiModel>> = {
  'comfy-image': {
    workflow: textToImage,
    outputKind: 'image',
    inputs: {
      prompt: { node: '6', field: 'text' },
      seed: { node: '3', field: 'seed' },
      num_outputs: { node: '5', field: 'batch_size', max: 4 },
      steps: { node: '3', field: 'steps', type: 'integer' },
      checkpoint: { node: '4', field: 'ckpt_name' },
      aspect_ratio: [
        {
          node: '5',
          field: 'width',
          choices: ['1:1', '16:9'],
          value: (ratio) => (ratio === '1:1' ? 512 : 912),
        },
        { node: '5', field: 'height', value: () => 512 },
      ],
    },
    price: 0.04,
  },
  'comfy-video': {
    workflow: imageToVideo,
    outputKind: 'video',
    inputs: {
      prompt: { node: '2', field: 'text' },
      image: { node: '1', field: 'image' },
      duration: { node: '5', field: 'length', min: 1, max: 5, value: (seconds) => Number(seconds) * 16 + 1 },
    },
    price: 0.1,
    priceUnit: 'second',
  },
}

/** Answers with status 200 that a proxy, a login page or another server may send. */
export const nonsense: Readonly<Record<string, VendorReply>> = {
  'a page': { body: '<h1>Log in</h1>' },
  'an empty body': { body: '' },
  null: { body: 'null' },
  'a list': { json: [] },
}

export interface WorldOptions extends FakeComfyuiOptions {
  readonly provider?: Partial<ComfyuiProviderOptions>
  readonly service?: ServiceWorldOptions
}

/** A service in front of a fake ComfyUI. */
export async function comfyuiWorld({ provider, service, ...fakeOptions }: WorldOptions = {}) {
  const comfyui = await fakeComfyui(fakeOptions)
  const options = { baseUrl: comfyui.origin, token, models, submitGraceMs: 20, ...provider }
  const world = serviceWorld(() => [comfyuiProvider(options)], { vendor: comfyui, ...service })
  onTestFinished(world.close)

  return {
    ...world,
    comfyui,
    create: (input: object = {}, model = 'comfy-image') => world.create(model, { prompt: 'a fox', ...input }),

    /** Advances the clock until the condition holds, by ten seconds whenever no call of the provider is under way. */
    async becomes(isSo: () => unknown): Promise<void> {
      for (const end = world.clock.now() + 7_200_000; !isSo(); await world.clock.advance(10_000)) {
        if (world.clock.now() > end) throw new Error('It has not come to pass in time.')
        await world.settle()
        // ComfyUI works by the time of the machine.
        await new Promise((resolve) => setTimeout(resolve, 3))
      }
    },
  }
}
