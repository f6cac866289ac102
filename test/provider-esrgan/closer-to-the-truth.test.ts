import { esrganProvider } from '@genmount/provider-esrgan'
import sharp, { type KernelEnum } from 'sharp'
import { expect, onTestFinished, test } from 'vitest'
import { outputsOf } from '../provider-kit/outputs-of.ts'
import { drawing } from './drawing.ts'

const side = 240

/** Peak signal-to-noise ratio in decibels: how close the picture comes to the true one. */
function psnr(pixels: Uint8Array, truth: Uint8Array): number {
  const squares = pixels.reduce((sum, value, i) => sum + (value - truth[i]!) ** 2, 0)
  return 10 * Math.log10(255 ** 2 / (squares / truth.length))
}

async function interpolated(small: Buffer, scale: number, kernel: keyof KernelEnum): Promise<Buffer> {
  const raw = { width: side / scale, height: side / scale, channels: 3 } as const
  return sharp(small, { raw }).resize(side, side, { kernel }).raw().toBuffer()
}

/** How many decibels at least lie between the network and the interpolations of libvips. */
const margins = {
  'esrgan-x2': { nearest: 2.5, linear: 2.3, cubic: 2 },
  'esrgan-x4': { nearest: 1.8, linear: 1.1, cubic: 0.6 },
} as const

test.each([
  ['esrgan-x2', 2],
  ['esrgan-x4', 4],
] as const)(
  '%s restores a drawing that was scaled down %i times better than nearest, linear and cubic interpolation',
  async (model, scale) => {
    const truth = await drawing(side)
    const small = await drawing(side / scale)
    const provider = esrganProvider()
    onTestFinished(() => provider.close?.())
    const [enlarged] = await outputsOf(provider, model, { image: small.dataUri })
    const network = psnr(await sharp(enlarged).raw().toBuffer(), truth.pixels)
    for (const [kernel, margin] of Object.entries(margins[model])) {
      const reached = psnr(await interpolated(small.pixels, scale, kernel as keyof KernelEnum), truth.pixels)
      expect(network - reached, kernel).toBeGreaterThan(margin)
    }
  },
)
