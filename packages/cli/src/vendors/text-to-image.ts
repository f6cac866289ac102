import type { ComfyuiModel } from '@genmount/provider-comfyui'

/**
 * The workflow that ComfyUI shows at first: a prompt, a checkpoint, 20 steps, one picture. Its nodes are those of
 * https://github.com/Comfy-Org/ComfyUI script_examples/basic_api_example.py.
 */
export function textToImage(checkpoint: string): ComfyuiModel['workflow'] {
  return {
    '3': {
      class_type: 'KSampler',
      inputs: {
        cfg: 8,
        denoise: 1,
        latent_image: ['5', 0],
        model: ['4', 0],
        negative: ['7', 0],
        positive: ['6', 0],
        sampler_name: 'euler',
        scheduler: 'normal',
        seed: 1,
        steps: 20,
      },
    },
    '4': { class_type: 'CheckpointLoaderSimple', inputs: { ckpt_name: checkpoint } },
    '5': { class_type: 'EmptyLatentImage', inputs: { batch_size: 1, height: 512, width: 512 } },
    '6': { class_type: 'CLIPTextEncode', inputs: { clip: ['4', 1], text: '' } },
    '7': { class_type: 'CLIPTextEncode', inputs: { clip: ['4', 1], text: '' } },
    '8': { class_type: 'VAEDecode', inputs: { samples: ['3', 0], vae: ['4', 2] } },
    '9': { class_type: 'SaveImage', inputs: { filename_prefix: 'genmount', images: ['8', 0] } },
  }
}
