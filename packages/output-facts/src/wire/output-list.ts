import type { Job } from '@genmount/core'
import { keptFacts, type OutputFacts, type ProvenanceFacts } from '../reading/facts.ts'

/** The outputs of a job with their facts, as `GET /v1/jobs/{id}/outputs` shows them. `null`: it is not known, or there is none. */
export interface OutputList {
  readonly object: 'list'
  /** Empty unless the job has completed. */
  readonly data: readonly OutputObject[]
}

/** One output, as the interface shows it. */
export interface OutputObject {
  readonly object: 'output'
  /** The place of the output, from 0. */
  readonly n: number
  /** The URL `{base_url}/v1/files/{id}` of the file. */
  readonly url: string
  readonly content_type: string | null
  readonly bytes: number | null
  readonly sha256: string | null
  readonly width: number | null
  readonly height: number | null
  readonly duration: number | null
  readonly fps: number | null
  readonly codec: string | null
  readonly has_sound: boolean | null
  readonly provenance: {
    readonly digital_source_type: string | null
    readonly model: string | null
    readonly time: string | null
    readonly job: string | null
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
  return { object: 'list', data: facts.map((of, n) => outputObject(`${baseUrl}/v1/files/${job.id}`, n, of)) }
}

function outputObject(fileUrl: string, n: number, facts: OutputFacts): OutputObject {
  const { contentType, bytes, sha256, width, height, duration, fps, codec, hasSound, provenance } = facts
  return {
    object: 'output',
    n,
    url: n === 0 ? fileUrl : `${fileUrl}?n=${n}`,
    content_type: contentType ?? null,
    bytes: bytes ?? null,
    sha256: sha256 ?? null,
    width: width ?? null,
    height: height ?? null,
    duration: duration ?? null,
    fps: fps ?? null,
    codec: codec ?? null,
    has_sound: hasSound ?? null,
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
