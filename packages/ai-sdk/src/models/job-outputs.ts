import type { Client, Job } from '@genmount/client'

/** An output of a job, in the form that the AI SDK expects. */
export interface OutputBytes {
  readonly data: Uint8Array
  readonly mediaType: string
}

/** Fetches all outputs of a finished job. */
export function jobOutputs(
  client: Client<object>,
  job: Job,
  signal: AbortSignal | undefined,
): Promise<OutputBytes[]> {
  return Promise.all(
    client.files(job).map(async ({ n }) => {
      const response = await client.download(job, n, { signal })
      const mediaType = response.headers.get('content-type') ?? 'application/octet-stream'
      return { data: new Uint8Array(await response.arrayBuffer()), mediaType }
    }),
  )
}

/** The parts of a result that describe the job: its metadata and its response. */
export function shownJob({ id, cost_usd: costUsd, model, created_at: createdAt }: Job) {
  return {
    metadata: { jobId: id, costUsd },
    response: { timestamp: new Date(createdAt), modelId: model, headers: undefined },
  }
}
