import type { JobPreview } from '@genmount/core'
import { encodeImage } from './encode-image.ts'
import { blankFrame, type Frame } from './frame.ts'

/** The longer side of a preview, in pixels. */
const longestSide = 320

/** A small JPEG of the frame. It takes some pixels of the frame, because painting it again takes far longer. */
export async function previewOf({ width, height, pixels }: Frame): Promise<JobPreview> {
  const scale = Math.min(1, longestSide / Math.max(width, height))
  const small = blankFrame(Math.round(width * scale), Math.round(height * scale))
  let at = 0
  for (let y = 0; y < small.height; y++) {
    const line = Math.floor((y * height) / small.height) * width
    for (let x = 0; x < small.width; x++) {
      const from = (line + Math.floor((x * width) / small.width)) * 3
      for (let colour = 0; colour < 3; colour++) small.pixels[at++] = pixels[from + colour]!
    }
  }
  return { bytes: await encodeImage(small, 'jpeg'), contentType: 'image/jpeg' }
}
