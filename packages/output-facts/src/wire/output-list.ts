import type { Job } from '@genmount/core'
import { keptFacts, type OutputFacts, type ProvenanceFacts } from '../reading/facts.ts'

/** The outputs of a job with their facts, as `GET /v1/jobs/{id}/outputs` shows them. `null`: it is not known, or there is none. */
export interface OutputList {
  /** Always `list`. */
  readonly object: 'list'
  /** Empty unless the job has completed. */
  readonly data: readonly OutputObject[]
}

/** One output, as the interface shows it. */
export interface OutputObject {
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

/**
 * The outputs of a job with the facts that the job has kept, for webhooks and for the code of an app.
 * @param baseUrl the public URL at which the /v1 interface is mounted, without a slash at its end
 * @example signedWebhooks({ baseUrl, secretsOf, outputs: outputList })
 */
export function outputList(job: Job, baseUrl: string): OutputList {
  return listOf(job, baseUrl, job.phase === 'completed' ? job.outputs.map(keptFacts) : [])
}

/** The list of the outputs with these facts, one for each. */
export function listOf(job: Job, baseUrl: string, facts: readonly OutputFacts[]): OutputList {
  return { object: 'list', data: facts.map((of, n) => outputObject(job, baseUrl, n, of)) }
}

function outputObject({ id, outputs }: Job, baseUrl: string, n: number, facts: OutputFacts): OutputObject {
  const { contentType, bytes, sha256, width, height, duration, fps, codec, hasSound, provenance } = facts
  return {
    object: 'output',
    n,
    url: `${baseUrl}/v1/files/${id}${n === 0 ? '' : `?n=${n}`}`,
    content_type: contentType ?? null,
    bytes: bytes ?? null,
    sha256: sha256 ?? null,
    width: width ?? null,
    height: height ?? null,
    duration: duration ?? null,
    fps: fps ?? null,
    codec: codec ?? null,
    has_sound: hasSound ?? null,
    revised_prompt: outputs[n]?.revisedPrompt ?? null,
    provenance: provenance ? provenanceObject(provenance) : null,
  }
}

function provenanceObject({ digitalSourceType, model, time, job, hasC2paManifest }: ProvenanceFacts) {
  return {
    digital_source_type: digitalSourceType ?? null,
    model: model ?? null,
    time: time ?? null,
    job: job ?? null,
    has_c2pa_manifest: hasC2paManifest,
  }
}
