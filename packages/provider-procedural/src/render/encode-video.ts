import type { TellProgress } from './render-order.ts'
import hme from 'h264-mp4-encoder'
import {
  BufferSource,
  BufferTarget,
  EncodedPacket,
  EncodedPacketSink,
  EncodedVideoPacketSource,
  Input,
  MP4,
  Mp4OutputFormat,
  Output,
} from 'mediabunny'
import { previewOf } from './preview-of.ts'
import { blankFrame, type Frame, type Scene } from './frame.ts'

/** The shortest time between two frames that are shown while a film is made, in milliseconds. */
const previewPauseMs = 1000

export interface Film {
  readonly width: number
  readonly height: number
  readonly fps: number
  readonly frameCount: number
}

/**
 * Paints and encodes frame by frame, as H.264 (baseline, 4:2:0). Players can start the MP4 before it is completely
 * loaded.
 * @param tell called after each frame with the part that is done, from 0 to 1, and once a second with that frame too
 */
export async function encodeVideo(
  scene: Scene,
  film: Film,
  tell: TellProgress = () => {},
): Promise<Uint8Array<ArrayBuffer>> {
  const encoder = await hme.createH264MP4Encoder()
  try {
    encoder.width = film.width
    encoder.height = film.height
    encoder.frameRate = film.fps
    encoder.quantizationParameter = 24
    encoder.speed = 10
    encoder.groupOfPictures = film.fps
    encoder.initialize()
    const frame = blankFrame(film.width, film.height)
    const planes = new Uint8Array((film.width * film.height * 3) / 2)
    let shownAt = Number.NEGATIVE_INFINITY
    for (let i = 0; i < film.frameCount; i++) {
      scene.paint(frame, i / film.fps)
      toPlanes(frame, planes)
      encoder.addFrameYuv(planes)
      const isShown = performance.now() - shownAt >= previewPauseMs
      if (isShown) shownAt = performance.now()
      tell((i + 1) / film.frameCount, isShown ? await previewOf(frame) : undefined)
    }
    encoder.finalize()
    const file = encoder.FS.readFile(encoder.outputFilename)
    encoder.FS.unlink(encoder.outputFilename)
    return withoutDates(await withFastStart(file, film.fps))
  } finally {
    encoder.delete()
  }
}

/**
 * Converts RGB to planar Y, Cb and Cr by ITU-R BT.709 in studio range, with colour at half resolution. It clips the
 * values of the frame itself, because every scene paints the whole frame anew.
 */
function toPlanes({ width, height, pixels }: Frame, planes: Uint8Array): void {
  const places = width * height
  for (let place = 0, at = 0; place < places; place++, at += 3) {
    const red = (pixels[at] = unit(pixels[at]!))
    const green = (pixels[at + 1] = unit(pixels[at + 1]!))
    const blue = (pixels[at + 2] = unit(pixels[at + 2]!))
    planes[place] = 16.5 + 46.559 * red + 156.629 * green + 15.812 * blue
  }
  const line = width * 3
  let chroma = places
  for (let y = 0; y < height; y += 2) {
    for (let at = y * line; at < (y + 1) * line; at += 6, chroma++) {
      const under = at + line
      const red = pixels[at]! + pixels[at + 3]! + pixels[under]! + pixels[under + 3]!
      const green = pixels[at + 1]! + pixels[at + 4]! + pixels[under + 1]! + pixels[under + 4]!
      const blue = pixels[at + 2]! + pixels[at + 5]! + pixels[under + 2]! + pixels[under + 5]!
      planes[chroma] = 128.5 - 6.416 * red - 21.584 * green + 28 * blue
      planes[chroma + places / 4] = 128.5 + 28 * red - 25.4335 * green - 2.5665 * blue
    }
  }
}

function unit(value: number): number {
  return value < 0 ? 0 : value > 1 ? 1 : value
}

/** Moves the index, which the encoder writes at the end, to the beginning, where streaming players need it. */
async function withFastStart(file: Uint8Array, fps: number): Promise<Uint8Array<ArrayBuffer>> {
  const track = await new Input({ source: new BufferSource(file), formats: [MP4] }).getPrimaryVideoTrack()
  const decoderConfig = await track?.getDecoderConfig()
  if (!track || !decoderConfig) throw new Error('The encoder gave no video track.')
  const target = new BufferTarget()
  const output = new Output({ format: new Mp4OutputFormat({ fastStart: 'in-memory' }), target })
  const packets = new EncodedVideoPacketSource('avc')
  output.addVideoTrack(packets, { frameRate: fps })
  await output.start()
  const meta = {
    decoderConfig: {
      ...decoderConfig,
      colorSpace: { primaries: 'bt709', transfer: 'bt709', matrix: 'bt709', fullRange: false } as const,
    },
  }
  let count = 0
  for await (const packet of new EncodedPacketSink(track).packets()) {
    await packets.add(new EncodedPacket(packet.data, kindOf(packet.data), count / fps, 1 / fps), meta)
    count++
  }
  await output.finalize()
  if (!target.buffer) throw new Error('The MP4 could not be written.')
  return new Uint8Array(target.buffer)
}

/**
 * Whether a packet is a key frame. The encoder's file marks every frame as one, and players that rely on that show
 * nothing after a seek. The type of the unit behind the four bytes of length is reliable (ITU-T H.264, table 7-1): 5 is
 * a key frame.
 */
function kindOf(packet: Uint8Array): 'key' | 'delta' {
  return (packet[4]! & 31) === 5 ? 'key' : 'delta'
}

/** Clears the times of creation (ISO/IEC 14496-12, 8.2.2, 8.3.2, 8.4.2), so that equal films give equal files. */
function withoutDates(file: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const view = new DataView(file.buffer)
  const clear = (start: number, end: number): void => {
    for (let at = start; at < end;) {
      const size = view.getUint32(at)
      const type = String.fromCharCode(...file.subarray(at + 4, at + 8))
      if (type === 'moov' || type === 'trak' || type === 'mdia') clear(at + 8, at + size)
      // The creation and modification times follow the version and flags. Each has 32 bits in version 0, else 64 bits.
      if (type === 'mvhd' || type === 'tkhd' || type === 'mdhd')
        file.fill(0, at + 12, at + (file[at + 8] === 0 ? 20 : 28))
      if (type === 'mdat') return
      at += size
    }
  }
  clear(0, file.length)
  return file
}
