/** An output of a job with the facts of its file. A fact is `null` if the service does not know it, or the file has no such thing. */
export interface OutputFacts {
  /** Always `output`. */
  readonly object: 'output'
  /** The number of the output, from 0. */
  readonly n: number
  /** The address of the file. Requests to it need the API key. */
  readonly url: string
  /** The media type by the first bytes of the file, such as `image/png`. */
  readonly content_type: string | null
  /** The size of the file, in bytes. */
  readonly bytes: number | null
  /** The SHA-256 of the file in hexadecimal. */
  readonly sha256: string | null
  /** The width in pixels, as the picture or film is shown. */
  readonly width: number | null
  /** The height in pixels, likewise. */
  readonly height: number | null
  /** How long a film or sound is, in seconds. */
  readonly duration: number | null
  /** Frames per second of a film. */
  readonly fps: number | null
  /** How a film, or else a sound, is coded, such as `h264`. */
  readonly codec: string | null
  /** Whether the file has sound. */
  readonly has_sound: boolean | null
  /**
   * The prompt from which the output was made, as the vendor or the model says it. `''` when it is made from none of the words of
   * the prompt.
   */
  readonly revised_prompt: string | null
  /** What the file says about how it was made. Nobody has verified it. */
  readonly provenance: {
    /** The digital source type of the IPTC, such as `trainedAlgorithmicMedia`. */
    readonly digital_source_type: string | null
    /** The AI system or model that the file names. */
    readonly model: string | null
    /** When the file was made, as it says. */
    readonly time: string | null
    /** The id of the job that the file names. */
    readonly job: string | null
    /** Whether the file has a C2PA manifest. */
    readonly has_c2pa_manifest: boolean
  } | null
}
