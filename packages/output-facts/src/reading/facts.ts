import type { JobOutput, JsonObject } from '@genmount/core'

/** What the bytes of an output say. A fact that can't be read is absent. */
export interface OutputFacts {
  /** The media type by the first bytes, such as `image/png`. */
  readonly contentType?: string
  /** The size of the file, in bytes. */
  readonly bytes?: number
  /** The SHA-256 of the file, in lower-case hexadecimal. */
  readonly sha256?: string
  /** The width in pixels as the picture or film is shown: turned, and with square pixels. */
  readonly width?: number
  /** The height in pixels, likewise. */
  readonly height?: number
  /** How long the film or sound is, in seconds. */
  readonly duration?: number
  /** How many pictures of the film are shown in a second, on the average of the first ones. */
  readonly fps?: number
  /** How the film is coded, or else the sound, such as `h264` or `mp3`. */
  readonly codec?: string
  /** Whether the file has sound. */
  readonly hasSound?: boolean
  /** What the file says about how it was made. */
  readonly provenance?: ProvenanceFacts
}

/** What a file says about how it was made. Nothing of it is verified. */
export interface ProvenanceFacts {
  /** The digital source type of the IPTC, such as `trainedAlgorithmicMedia`. */
  readonly digitalSourceType?: string
  /** The AI system or model that the file names. */
  readonly model?: string
  /** When the file was made, as it says. */
  readonly time?: string
  /** The id of the job that the file names. */
  readonly job?: string
  /** Whether the file has a C2PA manifest. */
  readonly hasC2paManifest: boolean
}

/** The facts as a job keeps them: without the fields that are absent. */
export function factsAsJson(facts: OutputFacts): JsonObject {
  return facts as unknown as JsonObject
}

/** What the job knows of an output: what was read when it was stored, or the little that is recorded of each output. */
export function keptFacts({ facts, contentType, bytes }: JobOutput): OutputFacts {
  return {
    ...(contentType !== undefined && { contentType }),
    ...(bytes !== undefined && { bytes }),
    ...(facts as OutputFacts | undefined),
  }
}
