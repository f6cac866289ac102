/**
 * Makes a PNG mask of the painting that models of both kinds understand: painted pixels are white and transparent, all
 * others black and opaque. Some models change the white pixels, others the transparent ones. A canvas can't make this
 * picture, because it drops the colour of transparent pixels.
 * @param painted the pixels of the painting in RGBA. Their alpha says where the visitor has painted
 */
export async function maskPng(painted: Uint8ClampedArray, width: number, height: number): Promise<Blob> {
  const lines = new Uint8Array(height * (1 + width * 4))
  for (let y = 0, to = 0; y < height; y++) {
    // The first byte of each line names its filter: 0, no filter. Then come red, green, blue and alpha of each pixel.
    to++
    for (let x = 0; x < width; x++) {
      const isPainted = painted[(y * width + x) * 4 + 3]! >= 128
      lines.fill(isPainted ? 255 : 0, to, to + 3)
      lines[to + 3] = isPainted ? 0 : 255
      to += 4
    }
  }
  const size = new Uint8Array(13)
  const view = new DataView(size.buffer)
  view.setUint32(0, width)
  view.setUint32(4, height)
  // 8 bits for each channel, and the colour type 6: red, green, blue and alpha.
  size.set([8, 6], 8)
  const parts = [chunk('IHDR', size), chunk('IDAT', await deflated(lines)), chunk('IEND', new Uint8Array())]
  return new Blob([Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a), ...parts], {
    type: 'image/png',
  })
}

async function deflated(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  // `CompressionStream` calls the zlib format `deflate`. PNG requires the zlib format.
  const stream = new Blob([bytes]).stream().pipeThrough(new CompressionStream('deflate'))
  return new Uint8Array(await new Response(stream).arrayBuffer())
}

/** A chunk of a PNG: its length, its type, its bytes, and a checksum of type and bytes. */
function chunk(type: string, bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const made = new Uint8Array(12 + bytes.length)
  const view = new DataView(made.buffer)
  view.setUint32(0, bytes.length)
  made.set(new TextEncoder().encode(type), 4)
  made.set(bytes, 8)
  view.setUint32(8 + bytes.length, crc32(made.subarray(4, 8 + bytes.length)))
  return made
}

function crc32(bytes: Uint8Array): number {
  let crc = 0xffffffff
  for (const byte of bytes) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0)
  }
  return (crc ^ 0xffffffff) >>> 0
}
