import { fromBase64, mediaTypeOf } from '@genmount/core'

/** Reads a part of a file; fewer bytes where the file ends. */
type ReadBytes = (at: number, length: number) => DataView<ArrayBuffer>

/** How many parts of a file are looked at. A file of more parts counts as whole. */
const maxParts = 5000
/** How many bytes are searched at once, from the end. */
const windowBytes = 48 * 1024

/**
 * Whether a file in base64 shows itself that its end is missing: a part of a PNG, WebP, MP4 or AVIF is longer than the rest
 * of the file, or the scan of a JPEG does not end. Only these parts are decoded. Other files, and such as lack an end
 * without showing it, count as whole.
 */
export function isCutOff(base64: string): boolean {
  const digits = base64.length - (base64.endsWith('==') ? 2 : base64.endsWith('=') ? 1 : 0)
  const size = Math.floor((digits * 3) / 4)
  const read: ReadBytes = (at, length) => {
    const start = Math.floor(at / 3)
    const text = base64.slice(4 * start, 4 * Math.ceil((at + length) / 3))
    const bytes = (fromBase64(text) ?? new Uint8Array()).subarray(at - 3 * start, at - 3 * start + length)
    return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  }
  switch (mediaTypeOf(bytesOf(read(0, 512)))) {
    case 'image/png':
      return isPngCut(read, size)
    case 'image/jpeg':
      return isJpegCut(read, size)
    case 'image/webp':
      // RIFF chunks have an even length, but not all writers pad the last one.
      return wordIn(read(12, 3)) === 'VP8' && 8 + read(4, 4).getUint32(0, true) > size + 1
    case 'image/avif':
    case 'video/mp4':
    case 'audio/mp4':
      return isBoxCut(read, size)
    default:
      return false
  }
}

/** Chunks of length, type, data and a checksum: https://www.w3.org/TR/png-3/#5Chunk-layout */
function isPngCut(read: ReadBytes, size: number): boolean {
  if (wordIn(read(12, 4)) !== 'IHDR') return false
  for (let at = 33, parts = 0; at < size && parts < maxParts; parts++) {
    const head = read(at, 8)
    if (head.byteLength < 8) return true
    if (wordIn(head, 4) === 'IEND') return false
    at += 12 + head.getUint32(0)
    if (at > size) return true
  }
  return false
}

/** Markers with segments, up to a scan, which ends with a marker `FFD9` (ITU-T T.81, B.1.1). */
function isJpegCut(read: ReadBytes, size: number): boolean {
  let scan = 2
  for (let parts = 0; ; parts++) {
    const head = read(scan, 4)
    if (head.byteLength < 4) return parts > 0 && scan < size
    if (head.getUint8(0) !== 0xff || parts === maxParts) return false
    if (head.getUint8(1) === 0xda) break
    scan += 2 + head.getUint16(2)
    if (scan > size) return parts > 0
  }
  for (let end = size; end > scan; end -= windowBytes) {
    const start = Math.max(scan, end - windowBytes)
    // One byte more, because the marker may lie across two windows.
    if (hasEndMarker(bytesOf(read(start, end - start + 1)))) return false
  }
  return true
}

/** Boxes with a size, 0 for up to the end and 1 for a size of 8 bytes (ISO/IEC 14496-12, 4.2). */
function isBoxCut(read: ReadBytes, size: number): boolean {
  for (let at = 0, parts = 0; at + 16 <= size && parts < maxParts; parts++) {
    const head = read(at, 16)
    const short = head.getUint32(0)
    const length = short === 1 ? Number(head.getBigUint64(8)) : short
    if (length < 8) return false
    at += length
    if (at > size) return parts > 0
  }
  return false
}

function bytesOf({ buffer, byteOffset, byteLength }: DataView<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  return new Uint8Array(buffer, byteOffset, byteLength)
}

/** The ASCII letters from a position on. */
function wordIn(part: DataView<ArrayBuffer>, at = 0): string {
  return String.fromCharCode(...bytesOf(part).subarray(at))
}

function hasEndMarker(bytes: Uint8Array): boolean {
  for (let at = bytes.indexOf(0xff); at >= 0; at = bytes.indexOf(0xff, at + 1))
    if (bytes[at + 1] === 0xd9) return true
  return false
}
