import { type Json, type JsonObject, sha256Hex } from '@genmount/core'
import { type InputFiles, inputFiles } from './input-files.ts'
import type { InputPlaces } from './workflow.ts'

/** A file that clients give for an input: its URL or data URI, and the types that the input takes. */
export interface InputFile extends InputFiles {
  /** The http(s) URL, or the data URI. */
  readonly source: string
}

/** The files of an input, in the order in which {@link withFileNames} takes their names. */
export function filesInInput(input: JsonObject, places: InputPlaces): readonly InputFile[] {
  return [...places].flatMap(([name, [place]]) => {
    const files = inputFiles(place)
    if (!files || input[name] === undefined) return []
    return ([input[name]].flat() as readonly string[]).map((source) => ({ ...files, source }))
  })
}

/**
 * The input with names of files in ComfyUI's input folder in place of the files.
 * @param names the names of the files, in the order of {@link filesInInput}
 */
export function withFileNames(input: JsonObject, places: InputPlaces, names: readonly string[]): JsonObject {
  const named: Record<string, Json> = { ...input }
  let next = 0
  for (const [name, [place]] of places) {
    const files = inputFiles(place)
    if (!files || input[name] === undefined) continue
    const own = names.slice(next, (next += [input[name]].flat().length))
    named[name] = files.isList ? own : own[0]!
  }
  return named
}

/** The name for a file in ComfyUI's input folder. Equal files get the same name, so that ComfyUI keeps only one of them. */
export async function fileName(file: {
  /** The media type, such as `image/png`. */
  readonly mediaType: string
  /** The content. */
  readonly bytes: Uint8Array<ArrayBuffer>
}): Promise<string> {
  return `genmount-${(await sha256Hex(file.bytes)).slice(0, 32)}.${file.mediaType.replace(/^.*\//, '')}`
}
