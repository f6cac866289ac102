import type { AnyModels, Client, DownloadOptions, Job } from '@genmount/client'

/** An output file of a job, in the form that HTML elements need. */
export interface Output {
  /** A `blob:` address, or a link if the file is too large to be kept in memory. */
  readonly src: string
  readonly type: string
  /** The bytes. `undefined` if `src` is a link. */
  readonly blob: Blob | undefined
  /** The file name for a download. */
  readonly fileName: string
}

/**
 * A larger film is streamed from its link. Smaller files are kept in memory, so that showing them again takes no
 * request.
 */
const maxKeptBytes = 32_000_000

const outputs = new WeakMap<Client<AnyModels>, Map<string, Promise<Output>>>()

/** Fetches a file of a finished job once. @throws the client's error; the next call tries again */
export function outputOf(client: Client<AnyModels>, job: Job, n: number): Promise<Output> {
  return fetchedOnce(client, `${job.id}/${n}`, () => fetchOutput(client, job, n))
}

const small = { width: 512, format: 'webp' } as const

/**
 * Fetches a small picture of a file of a finished job once: of a film, its first frame. The file itself, if it is fetched already
 * or the service does not have such pictures.
 * @throws the client's error; the next call tries again
 */
export function thumbnailOf(client: Client<AnyModels>, job: Job, n: number): Promise<Output> {
  const whole = outputs.get(client)?.get(`${job.id}/${n}`)
  return whole ?? fetchedOnce(client, `${job.id}/${n}/small`, () => fetchThumbnail(client, job, n))
}

async function fetchThumbnail(client: Client<AnyModels>, job: Job, n: number): Promise<Output> {
  const poster = job.output_kind === 'video' || undefined
  const thumbnail = await fetchOutput(client, job, n, { ...small, poster }).catch(() => undefined)
  // A service without such pictures has sent the file.
  if (thumbnail?.type === 'image/webp') return thumbnail
  return fetchedOnce(client, `${job.id}/${n}`, async () => thumbnail ?? fetchOutput(client, job, n))
}

/**
 * Fetches the first frame of a film once, as a picture for the time before it plays.
 * @throws Error when the service has no such pictures: it has begun to send the film, which is fetched elsewhere
 */
export function posterOf(client: Client<AnyModels>, job: Job, n: number): Promise<Output> {
  return fetchedOnce(client, `${job.id}/${n}/poster`, () =>
    fetchOutput(client, job, n, { width: 1024, format: 'webp', poster: true }, 'image/webp'),
  )
}

/**
 * The address by which a film shows a frame before it plays, on telephones too, which load no frame of a film at its beginning.
 */
export function filmAddress({ src }: Output): string {
  return `${src}#t=0.1`
}

/** @param key where it is kept: the id of the job, a slash, and which file */
function fetchedOnce(
  client: Client<AnyModels>,
  key: string,
  fetching: () => Promise<Output>,
): Promise<Output> {
  const outputsOfClient = outputs.get(client) ?? new Map<string, Promise<Output>>()
  outputs.set(client, outputsOfClient)
  const output = outputsOfClient.get(key) ?? fetching()
  outputsOfClient.set(key, output)
  output.catch(() => outputsOfClient.delete(key))
  return output
}

/** Forgets the files of a job, so that the browser can free the memory that they take. */
export async function forgetOutputs(client: Client<AnyModels>, jobId: string): Promise<void> {
  const outputsOfClient = outputs.get(client) ?? new Map<string, Promise<Output>>()
  for (const [key, output] of outputsOfClient) {
    if (!key.startsWith(`${jobId}/`)) continue
    outputsOfClient.delete(key)
    const fetched = await output.catch(() => undefined)
    if (fetched) URL.revokeObjectURL(fetched.src)
  }
}

/** @param wantedType the only type of a file that is read. @default every type */
async function fetchOutput(
  client: Client<AnyModels>,
  job: Job,
  n: number,
  variant: DownloadOptions = {},
  wantedType?: string,
): Promise<Output> {
  const response = await client.download(job, n, variant)
  const type = response.headers.get('content-type') ?? ''
  if (wantedType !== undefined && type !== wantedType) {
    await response.body?.cancel()
    throw new Error(`The service sends no ${wantedType}.`)
  }
  const fileName = `${job.id}-${n}.${endingOf(response, job)}`
  const isLarge = Number(response.headers.get('content-length') ?? 0) > maxKeptBytes
  if (isLarge && response.redirected) {
    await response.body?.cancel()
    return { src: response.url, type, blob: undefined, fileName }
  }
  const blob = await response.blob()
  return { src: URL.createObjectURL(blob), type, blob, fileName }
}

/** The server names the file by its bytes. A vendor's own server may not, or its headers can't be read from here. */
export function endingOf(
  { headers }: Pick<Response, 'headers'>,
  { output_kind: kind }: Pick<Job, 'output_kind'>,
): string {
  const [, named] = /filename="[^"]*\.(\w+)"/.exec(headers.get('content-disposition') ?? '') ?? []
  const [, subtype] =
    /^(?:image|video)\/([a-z\d]+)(?:\+xml)?(?:;|$)/.exec(headers.get('content-type') ?? '') ?? []
  const ending = subtype === 'jpeg' ? 'jpg' : subtype === 'quicktime' ? 'mov' : subtype
  return named ?? ending ?? (kind === 'video' ? 'mp4' : 'png')
}
