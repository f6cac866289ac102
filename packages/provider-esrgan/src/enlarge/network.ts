import { readFile } from 'node:fs/promises'
import { io, setBackend, type Tensor, tensor4d, tidy } from '@tensorflow/tfjs-core'
import { loadLayersModel } from '@tensorflow/tfjs-layers'
// oxlint-disable-next-line import/no-unassigned-import -- it registers itself
import '@tensorflow/tfjs-backend-wasm'
import type { Scale } from './enlarge-order.ts'

/** A trained network: takes RGB from 0 to 255 and gives as much for each side times its scale, at times beyond these bounds. */
export type Network = (pixels: Float32Array, width: number, height: number) => Float32Array

/**
 * How far away, in pixels of the input, a pixel can be that has a say in another: the 3 x 3 and 5 x 5 convolutions of
 * the longest path through the network add up to this.
 */
export const reach = 10

/** Loads the weights that ship in @upscalerjs/esrgan-slim, of a residual dense network trained on the DIV2K pictures. */
export async function loadNetwork(scale: Scale): Promise<Network> {
  await setBackend('wasm')
  const main = import.meta.resolve('@upscalerjs/esrgan-slim')
  // The package exports its code alone, which lies in dist/esm/models/esrgan-slim/src.
  const folder = new URL(`../../../../../models/x${scale}/`, main)
  const { modelTopology, weightsManifest } = JSON.parse(await readFile(new URL('model.json', folder), 'utf8'))
  const [{ weights, paths }] = weightsManifest
  const { buffer } = Uint8Array.from(await readFile(new URL(paths[0], folder)))
  const model = await loadLayersModel(
    io.fromMemory({ modelTopology, weightSpecs: weights, weightData: buffer }),
  )
  return (pixels, width, height) => {
    // The numbers are read outside, because what a tidy returns is searched for tensors, number by number.
    const output = tidy(() => model.predict(tensor4d(pixels, [1, height, width, 3])) as Tensor)
    const enlarged = output.dataSync<'float32'>()
    output.dispose()
    return enlarged
  }
}
