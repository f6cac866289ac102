import type { OutputFacts } from './facts.ts'
import { bytesOf, type FileEnds } from './file-ends.ts'
import { type Box, boxAt, boxes, boxIn, boxOn } from './iso-boxes.ts'

/** What is read of a film or sound. */
export type FilmFacts = Pick<OutputFacts, 'codec' | 'duration' | 'fps' | 'hasSound' | 'height' | 'width'>

/** A track of a film. Times are in units of its own, of which there are `timescale` in a second. */
interface Track {
  readonly id: number
  readonly kind: string
  readonly codec: string | undefined
  readonly width: number
  readonly height: number
  readonly timescale: number
  /** How many samples the index and the fragments have, and how long they take. */
  samples: number
  length: number
}

/** How many boxes of a file are looked at: a film in fragments has two for each. */
const mostBoxes = 20_000

/**
 * The facts of an MP4, a QuickTime film or another ISO base media file by its index (ISO/IEC 14496-12). Each length in the file is
 * taken as a claim: no loop is longer than the bytes that are there.
 */
export function isoFilm(ends: FileEnds): FilmFacts {
  let movie: { readonly tracks: readonly Track[]; readonly seconds: number } | undefined
  try {
    let at = 0
    for (let count = 0; count < mostBoxes && at < ends.size; count++) {
      const head = viewOf(bytesOf(ends, at, Math.min(at + 16, ends.size)))
      const box = boxAt(head, 0, head.byteLength)
      if (!box) break
      const end = head.getUint32(0) === 0 ? ends.size : at + box.end
      const content = () => viewOf(bytesOf(ends, at + box.start, Math.min(end, ends.size)))
      if (box.type === 'moov') movie ??= movieIn(content())
      if (box.type === 'moof' && movie) addFragment(content(), movie.tracks)
      at = end
    }
  } catch {
    // What was read before stays. The rest is cut off, wrong, or between the ends that are kept.
  }
  return movie ? factsOf(movie.tracks, movie.seconds) : {}
}

function factsOf(tracks: readonly Track[], movieSeconds: number): FilmFacts {
  const film = tracks.find(({ kind }) => kind === 'vide' || kind === 'pict')
  const sound = tracks.find(({ kind }) => kind === 'soun')
  const { codec, width = 0, height = 0, samples = 0, length = 0, timescale = 0 } = film ?? sound ?? {}
  const longest = Math.max(0, ...tracks.map((track) => track.length / track.timescale || 0))
  const seconds = movieSeconds || longest
  const fps = film && length > 0 ? (samples * timescale) / length : 0
  return {
    ...(width > 0 && height > 0 && { width, height }),
    ...measured('duration', seconds),
    ...measured('fps', fps),
    ...(codec !== undefined && { codec }),
    ...(tracks.length > 0 && { hasSound: sound !== undefined }),
  }
}

function movieIn(view: DataView) {
  const all = { start: 0, end: view.byteLength }
  const tracks: Track[] = []
  for (const box of boxes(view, all)) {
    const track = box.type === 'trak' ? readable(() => trackIn(view, box)) : undefined
    if (track) tracks.push(track)
  }
  const header = boxIn(view, 'mvhd', all)
  const { duration = 0, timescale = 0 } = (header && readable(() => timesIn(view, header))) ?? {}
  const extended = boxOn(view, all, 'mvex', 'mehd')
  const whole = (extended && readable(() => timeAt(view, extended, 4))) || duration
  return { tracks, seconds: whole / timescale || 0 }
}

function trackIn(view: DataView, box: Box): Track | undefined {
  const header = boxIn(view, 'tkhd', box)
  const times = boxOn(view, box, 'mdia', 'mdhd')
  const handler = boxOn(view, box, 'mdia', 'hdlr')
  const table = boxOn(view, box, 'mdia', 'minf', 'stbl')
  if (!header || !times || !handler) return undefined
  const isLong = view.getUint8(header.start) === 1
  const entry = table && boxIn(view, 'stsd', table)
  const sizes = (entry && readable(() => codedSize(view, entry))) ?? { width: 0, height: 0 }
  return {
    id: view.getUint32(header.start + (isLong ? 20 : 12)),
    kind: lettersAt(view, handler.start + 8),
    codec: entry && readable(() => codecOf(lettersAt(view, entry.start + 12))),
    ...(readable(() => shownSize(view, header.start + (isLong ? 52 : 40))) ?? sizes),
    timescale: timesIn(view, times).timescale,
    ...((table && readable(() => samplesIn(view, table))) ?? { samples: 0, length: 0 }),
  }
}

/** The size in `tkhd`, turned by its matrix (8.3.2). @returns `undefined` when it says no size */
function shownSize(
  view: DataView,
  matrixAt: number,
): { readonly width: number; readonly height: number } | undefined {
  const width = Math.round(view.getUint32(matrixAt + 36) / 65_536)
  const height = Math.round(view.getUint32(matrixAt + 40) / 65_536)
  if (width === 0 || height === 0) return undefined
  const isTurned = view.getInt32(matrixAt) === 0 && view.getInt32(matrixAt + 4) !== 0
  return isTurned ? { width: height, height: width } : { width, height }
}

/** The size in the first sample entry of a film (12.1.3). */
function codedSize(view: DataView, { start }: Box): { readonly width: number; readonly height: number } {
  return { width: view.getUint16(start + 40), height: view.getUint16(start + 42) }
}

/** How many samples `stts` has, and how long they take (8.6.1.2). */
function samplesIn(
  view: DataView,
  table: Box,
): { readonly samples: number; readonly length: number } | undefined {
  const box = boxIn(view, 'stts', table)
  if (!box) return undefined
  const entries = Math.min(view.getUint32(box.start + 4), Math.floor((box.end - box.start - 8) / 8))
  let [samples, length] = [0, 0]
  for (let entry = 0; entry < entries; entry++) {
    const count = view.getUint32(box.start + 8 + entry * 8)
    samples += count
    length += count * view.getUint32(box.start + 12 + entry * 8)
  }
  return { samples, length }
}

/** Adds the samples of a fragment to its tracks (8.8.7, 8.8.8). */
function addFragment(view: DataView, tracks: readonly Track[]): void {
  for (const part of boxes(view, { start: 0, end: view.byteLength })) {
    const header = part.type === 'traf' ? boxIn(view, 'tfhd', part) : undefined
    const track = header && tracks.find(({ id }) => id === view.getUint32(header.start + 4))
    if (!header || !track) continue
    const flags = view.getUint32(header.start) & 0xffffff
    const durationAt = header.start + 8 + (flags & 1 ? 8 : 0) + (flags & 2 ? 4 : 0)
    const usual = flags & 8 ? view.getUint32(durationAt) : 0
    for (const run of boxes(view, part)) if (run.type === 'trun') addRun(view, run, usual, track)
  }
}

function addRun(view: DataView, { start, end }: Box, usual: number, track: Track): void {
  const flags = view.getUint32(start) & 0xffffff
  const first = start + 8 + (flags & 1 ? 4 : 0) + (flags & 4 ? 4 : 0)
  const sampleBytes = [0x100, 0x200, 0x400, 0x800].filter((flag) => flags & flag).length * 4
  const claimed = view.getUint32(start + 4)
  const count = sampleBytes === 0 ? claimed : Math.min(claimed, Math.floor((end - first) / sampleBytes))
  track.samples += count
  if (flags & 0x100) for (let n = 0; n < count; n++) track.length += view.getUint32(first + n * sampleBytes)
  else track.length += count * usual
}

/** The duration and the units of it in a second, of `mvhd` or `mdhd` (8.2.2, 8.4.2). */
function timesIn(
  view: DataView,
  { start, end }: Box,
): { readonly duration: number; readonly timescale: number } {
  const isLong = view.getUint8(start) === 1
  const at = start + (isLong ? 20 : 12)
  const duration = timeAt(view, { type: '', start, end }, at + 4 - start)
  return { timescale: view.getUint32(at), duration }
}

/** A duration of a box with versions, in its units. All bits set: it is not known. */
function timeAt(view: DataView, { start }: Box, offset: number): number {
  const isLong = view.getUint8(start) === 1
  const time = isLong ? Number(view.getBigUint64(start + offset)) : view.getUint32(start + offset)
  return time >= (isLong ? 2 ** 63 : 2 ** 32 - 1) ? 0 : time
}

/** The codecs of sample entries by their types (https://mp4ra.org/registered-types/sampleentries), in ffmpeg's words. */
const codecs: Readonly<Record<string, string>> = {
  avc1: 'h264',
  avc3: 'h264',
  hvc1: 'hevc',
  hev1: 'hevc',
  vp08: 'vp8',
  vp09: 'vp9',
  av01: 'av1',
  mp4v: 'mpeg4',
  s263: 'h263',
  jpeg: 'mjpeg',
  apch: 'prores',
  apcn: 'prores',
  ap4h: 'prores',
  mp4a: 'aac',
  Opus: 'opus',
  fLaC: 'flac',
  '.mp3': 'mp3',
  alac: 'alac',
}

function codecOf(entry: string): string | undefined {
  if (Object.hasOwn(codecs, entry)) return codecs[entry]
  return /^[\w-]{4}$/.test(entry) ? entry : undefined
}

function lettersAt(view: DataView, at: number): string {
  return String.fromCharCode(...[0, 1, 2, 3].map((place) => view.getUint8(at + place)))
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

/** What can be read; `undefined` for the rest. */
function readable<Value>(read: () => Value): Value | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}

/** A fact in thousandths. @returns nothing for an amount that a film can't have */
export function measured<Name extends 'duration' | 'fps'>(
  name: Name,
  value: number | null | undefined,
): Partial<Record<Name, number>> {
  const amount = Math.round((value ?? 0) * 1000) / 1000
  return Number.isFinite(amount) && amount > 0 ? ({ [name]: amount } as Record<Name, number>) : {}
}
