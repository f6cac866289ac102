/** A colour: red, green and blue, from 0 to 255. */
export type Rgb = readonly [red: number, green: number, blue: number]

/** Encodes a picture as PNG (https://www.w3.org/TR/png-3/) with what a worker has, without a module of Node. */
export async function encodePng(
  width: number,
  height: number,
  colourAt: (x: number, y: number) => Rgb,
): Promise<Uint8Array> {
  // Each row begins with the number of its filter: 0, which is none.
  const rows = new Uint8ClampedArray(height * (1 + width * 3))
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) rows.set(colourAt(x, y), y * (1 + width * 3) + 1 + x * 3)
  const deflated = new Response(rows).body!.pipeThrough(new CompressionStream('deflate'))

  const header = new DataView(new ArrayBuffer(13))
  header.setUint32(0, width)
  header.setUint32(4, height)
  // 8 bits for each of three colours.
  header.setUint8(8, 8)
  header.setUint8(9, 2)
  const file = new Blob([
    Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a),
    chunk('IHDR', new Uint8Array(header.buffer)),
    chunk('IDAT', new Uint8Array(await new Response(deflated).arrayBuffer())),
    chunk('IEND', new Uint8Array()),
  ])
  return new Uint8Array(await file.arrayBuffer())
}

function chunk(type: string, data: Uint8Array): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(12 + data.length)
  const view = new DataView(bytes.buffer)
  view.setUint32(0, data.length)
  bytes.set(new TextEncoder().encode(type), 4)
  bytes.set(data, 8)
  view.setUint32(8 + data.length, crc32(bytes.subarray(4, 8 + data.length)))
  return bytes
}

/** https://www.w3.org/TR/png-3/#5CRC-algorithm */
function crc32(bytes: Uint8Array): number {
  let crc = ~0
  for (const byte of bytes) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0)
  }
  return ~crc >>> 0
}
