import { readFile } from 'node:fs/promises'
import { io, setBackend, type Tensor, tensor4d, tidy } from '@tensorflow/tfjs-core'
import { loadLayersModel } from '@tensorflow/tfjs-layers'
// oxlint-disable-next-line import/no-unassigned-import -- the import registers the wasm backend
import '@tensorflow/tfjs-backend-wasm'
import type { Scale } from './enlarge-order.ts'

/**
 * A trained network. It takes RGB values from 0 to 255 and returns those of the enlarged picture, a few of which can be
 * below 0 or above 255.
 */
export type Network = (pixels: Float32Array, width: number, height: number) => Float32Array

/**
 * How far apart two pixels of the input can be, in pixels, so that one still influences the enlargement of the other.
 * It is the sum over the 3 x 3 and 5 x 5 convolutions on the longest path through the network.
 */
export const reach = 10

/**
 * Loads a network whose weights are part of @upscalerjs/esrgan-slim: a residual dense network, trained on the DIV2K
 * pictures.
 */
export async function loadNetwork(scale: Scale): Promise<Network> {
  await setBackend('wasm')
  const main = import.meta.resolve('@upscalerjs/esrgan-slim')
  // The package exports only its code, in dist/esm/models/esrgan-slim/src. The weights are found from there.
  const folder = new URL(`../../../../../models/x${scale}/`, main)
  const { modelTopology, weightsManifest } = JSON.parse(await readFile(new URL('model.json', folder), 'utf8'))
  const [{ weights, paths }] = weightsManifest
  const { buffer } = Uint8Array.from(await readFile(new URL(paths[0], folder)))
  const model = await loadLayersModel(
    io.fromMemory({ modelTopology, weightSpecs: weights, weightData: buffer }),
  )
  return (pixels, width, height) => {
    // Reads the numbers outside of tidy, because tidy searches each single value that it returns for tensors.
    const output = tidy(() => model.predict(tensor4d(pixels, [1, height, width, 3])) as Tensor)
    const enlarged = output.dataSync<'float32'>()
    output.dispose()
    return enlarged
  }
}
