import { createHash } from 'node:crypto'

/** The origin that the vendor gives for its files. Nothing listens there; servers fetch from its address. */
export const vendorOrigin = 'https://vendor.example'

/** The size of each file: large enough that it arrives in several pieces. */
export const vendorFileBytes = 256 * 1024

export const pngSignature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')

/** The content of output number `index` of the task. It is the same for each call. */
export function vendorFile(taskId: string, index: number): Buffer<ArrayBuffer> {
  const filling = createHash('sha256').update(`${taskId}/${index}`).digest()
  const bytes = Buffer.alloc(vendorFileBytes + index, filling)
  pngSignature.copy(bytes)
  return bytes
}
