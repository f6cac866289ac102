import type { Output, OutputKind } from '@genmount/core'
import { recordOf } from '@genmount/vendor-http'

/**
 * The fields in which almost all endpoints put their files. When one file is in several of these fields, the first
 * field counts.
 */
const usualFields = {
  image: ['images', 'image', 'image_url'],
  video: ['videos', 'video', 'video_url'],
} as const

/** Names and extensions for files whose `content_type` is missing or not specific. */
const namesOf = { image: /image|\.(png|jpe?g|webp|gif|avif)$/i, video: /video|\.(mp4|webm|mov)$/i } as const

/**
 * The files of a result. They come from the first of the usual fields that has a file. If none has, all other files of
 * the model's kind count, whatever the names of their fields, such as `preview_video`.
 * @returns the entries in their order. Entries that are not files are included, because the flags of the safety checker
 * count them
 */
export function filesIn(result: Readonly<Record<string, unknown>>, kind: OutputKind): readonly unknown[] {
  const usual = usualFields[kind].map((name): readonly unknown[] => [result[name] ?? []].flat())
  const others = Object.entries(result).map(([name, value]) =>
    [value].flat().filter((file) => isOfKind(name, file, kind)),
  )
  const found = usual.find((files) => files.some(outputOf)) ?? others.flat()
  return found.length > 0 ? found : (usual.find((files) => files.length > 0) ?? [])
}

/**
 * The output in a file, which fal reports as an object or only as its URL; `undefined` when the value is not a file.
 */
export function outputOf(file: unknown): Output | undefined {
  const { url, content_type: type } = typeof file === 'string' ? { url: file } : recordOf(file)
  return typeof url === 'string'
    ? { url, contentType: typeof type === 'string' ? type : undefined }
    : undefined
}

/** Only objects with a `url` count here, because other fields contain texts, such as the prompt. */
function isOfKind(name: string, file: unknown, kind: OutputKind): boolean {
  const { url, content_type: type } = recordOf(file)
  if (typeof url !== 'string') return false
  const isTyped = typeof type === 'string' && !type.endsWith('/octet-stream')
  return isTyped ? type.startsWith(`${kind}/`) : namesOf[kind].test(`${name} ${URL.parse(url)?.pathname}`)
}
