import type { OutputReference } from '@genmount/client'

/** The template of file URIs, as in RFC 6570. */
export const fileUriTemplate = 'genmount://files/{job_id}/{n}'

const form = /^genmount:\/\/files\/(\w{1,100})\/(\d{1,4})$/

/** The URI by which an agent can read a file of a job and pass it to another job. */
export function fileUri({ jobId, n }: OutputReference): string {
  return `genmount://files/${jobId}/${n}`
}

/** @returns `undefined` for every other text */
export function readFileUri(text: string): OutputReference | undefined {
  const [, jobId, n] = form.exec(text) ?? []
  return jobId === undefined ? undefined : { jobId, n: Number(n) }
}
