import {
  ADTS,
  CustomSource,
  FLAC,
  Input,
  Logging,
  LogLevel,
  MATROSKA,
  MP3,
  OGG,
  WAVE,
  WEBM,
} from 'mediabunny'
import { bytesOf, type FileEnds } from './file-ends.ts'
import { type FilmFacts, measured } from './iso-film.ts'

const formats = [WEBM, MATROSKA, MP3, WAVE, OGG, FLAC, ADTS]
/** From how many pictures the pictures per second are counted. */
const countedPictures = 120

/**
 * How often parts of one file are read. A whole film needs some hundreds; a broken one may lead the library in circles for ever,
 * without a pause in which the process could do anything else.
 */
const mostReads = 2000

/** The facts of a film or sound by its index. Nothing is decoded. Facts that are not at the ends of the file are absent. */
export async function filmFacts(ends: FileEnds): Promise<FilmFacts> {
  const letSpeak = quietReader()
  try {
    return await readFacts(ends)
  } finally {
    letSpeak()
  }
}

/** How many files are being read, and what the library may print besides. */
let readers = 0
let levelBefore = Logging.level

/** Keeps the library from printing what it thinks of a vendor's file. @returns a function that ends the silence */
function quietReader(): () => void {
  if (readers++ === 0) {
    levelBefore = Logging.level
    Logging.level = LogLevel.Silent
  }
  return () => {
    if (--readers === 0) Logging.level = levelBefore
  }
}

async function readFacts(ends: FileEnds): Promise<FilmFacts> {
  let reads = 0
  const source = new CustomSource({
    getSize: () => ends.size,
    read(start, end) {
      if (++reads > mostReads) throw new Error('The parts of the file lead in circles.')
      return bytesOf(ends, start, end)
    },
    maxCacheSize: 0,
    handleUnhandledError: () => {},
  })
  using input = new Input({ source, formats })
  const [film, sound] = await Promise.all([
    readable(() => input.getPrimaryVideoTrack()),
    readable(() => input.getPrimaryAudioTrack()),
  ])
  const format = await readable(() => input.getFormat())
  // Counting the frames of a FLAC that is cut off never ends. Its header has the duration.
  const counted = () => (format === FLAC ? Promise.resolve(undefined) : input.computeDuration())
  const duration = (await readable(() => input.getDurationFromMetadata())) || (await readable(counted))
  const width = await readable(async () => film?.getDisplayWidth())
  const height = await readable(async () => film?.getDisplayHeight())
  const stats = await readable(async () => film?.computePacketStats(countedPictures))
  const codec = await readable(async () => (film ?? sound)?.getCodec())
  return {
    ...(width && height && { width, height }),
    ...measured('duration', duration),
    ...measured('fps', stats?.averagePacketRate),
    ...(typeof codec === 'string' && { codec: nameOf[codec] ?? codec }),
    ...(sound !== undefined && (film || sound) && { hasSound: sound !== null }),
  }
}

/** The names of mediabunny that differ from those of ffmpeg. */
const nameOf: Readonly<Record<string, string>> = { avc: 'h264' }

/** What can be read; `undefined` for the rest. A file may break off, or contradict itself, in any place. */
async function readable<Value>(read: () => Promise<Value>): Promise<Value | undefined> {
  try {
    return await read()
  } catch {
    return undefined
  }
}
