import type { JsonObject } from '../contracts/json.ts'
import type { OutputFile } from '../contracts/plugin/output-change.ts'
import { piecesOf } from '../bytes/pieces-of.ts'

/** Reads one file for a plugin while it is stored. Nothing of it throws, and no error of the plugin reaches the file. */
export interface FileReading {
  /** The same bytes, each of which the plugin has read before it comes out. */
  through(stream: ReadableStream<Uint8Array>): ReadableStream<Uint8Array>
  /** What the plugin has read, after the file is stored. `undefined` when it has read nothing, or has failed. */
  facts(): Promise<{ readonly facts: JsonObject } | undefined>
}

/** Begins to read a file. @returns `undefined` when no plugin reads it */
export type ReadingOf = (file: OutputFile) => FileReading | undefined

/** Reads a file that is in memory. */
export async function factsOfBytes(
  bytes: Uint8Array,
  reading: FileReading | undefined,
): Promise<{ readonly facts: JsonObject } | undefined> {
  if (reading) for await (const _piece of reading.through(piecesOf(bytes)));
  return reading?.facts()
}
