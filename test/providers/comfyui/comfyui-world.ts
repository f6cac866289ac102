import {
  createGenerationService,
  type GenerationServiceOptions,
  type Job,
  memoryBackend,
} from '@genmount/core'
import { type ComfyuiModel, comfyuiProvider, type ComfyuiProviderOptions } from '@genmount/provider-comfyui'
import { manualClock, quietLog } from '@genmount/testing'
import { onTestFinished } from 'vitest'
import { imageToVideo, textToImage } from './comfyui-shapes.ts'
import { fakeComfyui, type FakeComfyuiOptions } from './fake-comfyui.ts'

export const token = 'tok_3cret_of_the_proxy'

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

export interface WorldOptions extends FakeComfyuiOptions {
  readonly provider?: Partial<ComfyuiProviderOptions>
  readonly service?: Partial<GenerationServiceOptions>
}

/** A service in front of a fake ComfyUI. Its clock advances whenever no request is under way. */
export async function comfyuiWorld({ provider, service, ...fakeOptions }: WorldOptions = {}) {
  const comfyui = await fakeComfyui(fakeOptions)
  const clock = manualClock()
  const backend = memoryBackend({ clock })
  onTestFinished(() => comfyui.close())

  function start() {
    const started = createGenerationService({
      providers: [comfyuiProvider({ baseUrl: comfyui.url, token, models, submitGraceMs: 20, ...provider })],
      backend: { ...backend, close: async () => {} },
      clock,
      log: quietLog(),
      ...service,
    })
    onTestFinished(async () => void (await started.close()))
    started.start()
    return started
  }

  const create = async (running: ReturnType<typeof start>, input: object = {}, model = 'comfy-image') =>
    (await running.create({ owner: 'alice', model, input: { prompt: 'a fox', ...input } })).job

  /** Advances the clock until the condition holds, by ten seconds whenever ComfyUI has no request to answer. */
  async function until(isSo: () => unknown, withinMs = 7_200_000): Promise<void> {
    for (const end = clock.now() + withinMs; !(await isSo()); await clock.advance(10_000)) {
      if (clock.now() > end) throw new Error('It has not come to pass in time.')
      await calm()
    }
  }

  /** Resolves when no request has arrived for a few milliseconds, or when all open requests hang. */
  async function calm(): Promise<void> {
    for (let still = 0, seen = -1; still < 3; seen = comfyui.requests.length) {
      await new Promise((resolve) => setTimeout(resolve, 3))
      still = comfyui.underWay === 0 && seen === comfyui.requests.length ? still + 1 : 0
    }
  }

  async function ended(running: ReturnType<typeof start>, { id }: Job): Promise<Job> {
    let job = await running.get(id, 'alice')
    await until(async () => {
      job = (await backend.jobs.get(id)) ?? job
      return job.phase === 'completed' || job.phase === 'failed'
    })
    return job
  }

  return { comfyui, clock, backend, start, create, until, ended }
}
