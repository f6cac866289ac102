import { performance } from 'node:perf_hooks'
import { UnusablePictureError } from '@genmount/provider-kit/workers'
import { encodeImage } from './encode-image.ts'
import type { EnlargeOrder, EnlargeReply, Scale, TellProgress } from './enlarge-order.ts'
import { enlargeTiles } from './enlarge-tiles.ts'
import { loadNetwork, type Network } from './network.ts'
import { openPicture } from './open-picture.ts'
import type { Picture } from './picture.ts'

const networks = new Map<Scale, Promise<Network>>()

/**
 * Enlarges a picture file. An error of the picture is a value; the promise rejects only for other errors.
 * @param tell called after each tile with the part that is done, from 0 to 1
 */
export async function enlarge(order: EnlargeOrder, tell: TellProgress = () => {}): Promise<EnlargeReply> {
  const began = performance.now()
  try {
    const { colours, opacity } = await openPicture(order)
    const network = await networkOf(order.scale)
    const passes = opacity ? 2 : 1
    const enlarged: Picture = {
      colours: enlargeTiles(colours, order.scale, network, (part) => tell(part / passes)),
      // The same network enlarges colours and opacity, so that their edges stay in the same place.
      opacity: opacity && enlargeTiles(opacity, order.scale, network, (part) => tell((1 + part) / passes)),
    }
    return {
      file: await encodeImage(enlarged, order.format),
      contentType: `image/${order.format}`,
      outputPixels: enlarged.colours.width * enlarged.colours.height,
      enlargeMs: Math.round(performance.now() - began),
    }
  } catch (error) {
    if (error instanceof UnusablePictureError) return { code: 'provider_rejected', message: error.message }
    throw error
  }
}

function networkOf(scale: Scale): Promise<Network> {
  const network = networks.get(scale) ?? loadNetwork(scale)
  networks.set(scale, network)
  return network
}
