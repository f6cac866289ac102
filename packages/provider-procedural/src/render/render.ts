import { performance } from 'node:perf_hooks'
import { freeMemory } from '@genmount/core'
import { UnusablePictureError } from '@genmount/provider-kit/workers'
import { cameraMove, closest, filmedWords } from '../edit/camera-move.ts'
import { editedWords, editImage } from '../edit/edit-image.ts'
import { styledScene, styledWords } from '../edit/styled-scene.ts'
import { openPicture } from '../edit/open-picture.ts'
import { composeScene } from '../scene/compose-scene.ts'
import { drawnWords } from '../scene/drawn-words.ts'
import { encodeImage } from './encode-image.ts'
import { encodeVideo } from './encode-video.ts'
import { blankFrame, type Frame, type Scene } from './frame.ts'
import { frameSize, ratioByDefault, ratioOf } from './frame-size.ts'
import type {
  ImageOrder,
  RenderedFile,
  RenderOrder,
  RenderReply,
  TellProgress,
  VideoOrder,
} from './render-order.ts'

/**
 * Renders an order. An error of the given picture is a value; the promise rejects only for other errors.
 * @param tell called with the part that is done, from 0 to 1, and about once a second with a frame of a film
 */
export async function render(order: RenderOrder, tell: TellProgress = () => {}): Promise<RenderReply> {
  const began = performance.now()
  try {
    const files = order.kind === 'image' ? await renderImages(order, tell) : [await renderVideo(order, tell)]
    const contentType = order.kind === 'image' ? `image/${order.format}` : 'video/mp4'
    return { files, contentType, renderMs: Math.round(performance.now() - began) }
  } catch (error) {
    if (error instanceof UnusablePictureError) return { code: 'provider_rejected', message: error.message }
    throw error
  }
}

async function renderImages(order: ImageOrder, tell: TellProgress): Promise<RenderedFile[]> {
  const { prompt } = order
  const picture = order.picture === undefined ? undefined : await openPicture(order.picture)
  const { width, height } = sizeOf(order, picture?.ratio ?? ratioByDefault.image)
  const original = await picture?.fill(width, height)
  const draw = (variation: string): Frame => {
    if (original) return editImage(original, { prompt, variation })
    const frame = blankFrame(width, height)
    composeScene({ prompt, variation, view: { width, height, seconds: 0 } }).paint(frame, 0)
    const styled = styledScene(frame, prompt, variation)
    if (styled !== frame) freeMemory(frame.pixels)
    return styled
  }
  const files = []
  for (let index = 0; index < order.count; index++) {
    const variation = variationOf(order, index)
    const frame = draw(variation)
    const words = original ? editedWords({ prompt, variation }) : styledWords(prompt, variation)
    files.push({ bytes: await encodeImage(frame, order.format), words })
    freeMemory(frame.pixels)
    tell((index + 1) / order.count)
  }
  if (original) freeMemory(original.pixels)
  return files
}

async function renderVideo(order: VideoOrder, tell: TellProgress): Promise<RenderedFile> {
  const { prompt, fps, frameCount } = order
  const picture = order.picture === undefined ? undefined : await openPicture(order.picture)
  const { width, height } = sizeOf(order, picture?.ratio ?? ratioByDefault.video)
  const view = { width, height, seconds: frameCount / fps }
  const variation = variationOf(order, 0)
  const enlarged = await picture?.fill(Math.round(width * closest), Math.round(height * closest))
  const scene: Scene = enlarged
    ? cameraMove(enlarged, prompt, variation, view)
    : composeScene({ prompt, variation, view })
  const bytes = await encodeVideo(scene, { width, height, fps, frameCount }, tell)
  if (enlarged) freeMemory(enlarged.pixels)
  return { bytes, words: enlarged ? filmedWords(prompt, variation) : drawnWords(prompt, variation) }
}

function sizeOf(
  { shortSide, aspectRatio }: RenderOrder,
  ownRatio: number,
): { width: number; height: number } {
  return frameSize(shortSide, aspectRatio === undefined ? ownRatio : ratioOf(aspectRatio))
}

/**
 * The text that distinguishes pictures of one prompt. Equal seeds give equal pictures; each output of a job differs.
 */
function variationOf({ seed }: RenderOrder, index: number): string {
  return `${seed ?? ''}/${index}`
}
