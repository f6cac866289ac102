import { type Client, GenmountError, type Job } from '@genmount/client'

/** How many times an output is fetched when the connection breaks in the middle. */
const maxTries = 3

/** An output of a job, in the form that the AI SDK expects. */
export interface OutputBytes {
  readonly data: Uint8Array
  readonly mediaType: string
}

/** Fetches all outputs of a finished job. @throws GenmountError that has the job, because the job is paid for */
export function jobOutputs(
  client: Client<object>,
  job: Job,
  signal: AbortSignal | undefined,
): Promise<OutputBytes[]> {
  async function fetched(n: number): Promise<OutputBytes> {
    for (let tries = 1; ; tries++) {
      try {
        const response = await client.download(job, n, { signal })
        const mediaType = response.headers.get('content-type') ?? 'application/octet-stream'
        return { data: new Uint8Array(await response.arrayBuffer()), mediaType }
      } catch (cause) {
        if (cause instanceof GenmountError)
          throw new GenmountError(cause.code, cause.message, { ...cause, cause, job })
        if (tries < maxTries && !signal?.aborted) continue
        const code = signal?.aborted ? 'aborted' : 'network_error'
        throw new GenmountError(code, `The download of output ${n} of ${job.id} broke off.`, { cause, job })
      }
    }
  }
  return Promise.all(client.files(job).map(({ n }) => fetched(n)))
}

/** The parts of a result that describe the job: its metadata and its response. */
export function shownJob({ id, cost_usd: costUsd, model, created_at: createdAt }: Job) {
  return {
    metadata: { jobId: id, costUsd },
    response: { timestamp: new Date(createdAt), modelId: model, headers: undefined },
  }
}
