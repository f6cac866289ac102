import type { OutputFacts } from '../wire/output.ts'

/**
 * The facts of an output in words, such as `1024 × 768, 3.2 MB, PNG, marked as made by AI`.
 * @returns an empty text when nothing is known of the output
 */
export function factWords(output: OutputFacts): string {
  const { width, height, duration, fps, codec, bytes, content_type: type, has_sound: hasSound } = output
  const isFilm = type?.startsWith('video/') ?? false
  return [
    width !== null && height !== null && `${width} × ${height}`,
    duration !== null && `${shortNumber(duration)} s`,
    fps !== null && `${shortNumber(fps)} fps`,
    bytes !== null && sizeWords(bytes),
    type !== null && typeWords(type),
    codec,
    isFilm && hasSound !== null && (hasSound ? 'with sound' : 'without sound'),
    markWords(output),
  ]
    .filter((words) => typeof words === 'string')
    .join(', ')
}

function shortNumber(value: number): string {
  return String(Math.round(value * 100) / 100)
}

/** A size in the units of the SI: `312 bytes`, `84 kB`, `3.2 MB`. */
function sizeWords(bytes: number): string {
  if (bytes < 1000) return `${bytes} bytes`
  const power = Math.min(3, Math.floor(Math.log10(bytes) / 3))
  const amount = bytes / 1000 ** power
  return `${amount < 10 ? amount.toFixed(1) : Math.round(amount)} ${['', 'kB', 'MB', 'GB'][power]}`
}

/** `image/svg+xml` as `SVG`. */
function typeWords(type: string): string {
  const [, subtype = type] = type.split('/')
  return (subtype.startsWith('x-') ? subtype.slice(2) : subtype).replace('+xml', '').toUpperCase()
}

/** What the terms of the IPTC say of a file: https://cv.iptc.org/newscodes/digitalsourcetype, read in November 2026. */
const sources: ReadonlyMap<string, string> = new Map([
  ['trainedAlgorithmicMedia', 'made by AI'],
  ['compositeWithTrainedAlgorithmicMedia', 'edited by AI'],
  ['algorithmicMedia', 'drawn by a program'],
  ['algorithmicallyEnhanced', 'enhanced by a program'],
])

function markWords({ provenance }: OutputFacts): string | undefined {
  if (!provenance) return undefined
  const { digital_source_type: source, has_c2pa_manifest: hasManifest } = provenance
  if (source !== null) return `marked as ${sources.get(source) ?? source}`
  return hasManifest ? 'with a C2PA manifest' : undefined
}
