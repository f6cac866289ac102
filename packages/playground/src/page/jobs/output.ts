import type { AnyModels, Client, Job } from '@genmount/client'

/** A file of a job, as elements show it. */
export interface Output {
  /** A `blob:` address, or a link for a file that is too large for one. */
  readonly src: string
  readonly type: string
  /** The bytes. `undefined` behind a link. */
  readonly blob: Blob | undefined
  /** The name under which it is saved. */
  readonly fileName: string
}

/** A larger film is streamed by its link. Smaller files are kept, so that showing them takes no further connection. */
const maxKeptBytes = 32_000_000

const outputs = new WeakMap<Client<AnyModels>, Map<string, Promise<Output>>>()

/** Fetches a file of a finished job once. @throws what the client throws; the next call tries again */
export function outputOf(client: Client<AnyModels>, job: Job, n: number): Promise<Output> {
  const known = outputs.get(client) ?? new Map<string, Promise<Output>>()
  outputs.set(client, known)
  const key = `${job.id}/${n}`
  const output = known.get(key) ?? fetchOutput(client, job, n)
  known.set(key, output)
  output.catch(() => known.delete(key))
  return output
}

async function fetchOutput(client: Client<AnyModels>, job: Job, n: number): Promise<Output> {
  const response = await client.download(job, n)
  const type = response.headers.get('content-type') ?? ''
  const fileName = `${job.id}-${n}.${endingOf(type, job)}`
  const isLarge = Number(response.headers.get('content-length') ?? 0) > maxKeptBytes
  if (isLarge && response.redirected) {
    await response.body?.cancel()
    return { src: response.url, type, blob: undefined, fileName }
  }
  const blob = await response.blob()
  return { src: URL.createObjectURL(blob), type, blob, fileName }
}

function endingOf(type: string, { output_kind: kind }: Job): string {
  const [, subtype = ''] = /^(?:image|video)\/([a-z0-9]+)/.exec(type) ?? []
  const known: Readonly<Record<string, string>> = { jpeg: 'jpg', quicktime: 'mov', svg: 'svg' }
  return known[subtype] ?? (subtype || (kind === 'video' ? 'mp4' : 'png'))
}
