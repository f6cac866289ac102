import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { link, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream } from 'node:stream/web'
import { type AnyModels, type Client, GenmountError, type Job } from '@genmount/client'
import type { Session } from '../program/session.ts'
import { checkFree, outputPath, type OutputTarget } from './output-target.ts'
import { mediaExtension } from './media-extension.ts'

/** How many times a download is tried when the connection breaks in the middle. */
const maxTries = 3

/** A file that was written. */
export interface SavedFile {
  readonly path: string
  readonly mediaType: string
}

/**
 * Downloads the outputs of a completed job. A file appears under its name only when it is complete. Standard output
 * takes one output.
 * @param only the number of the one output to download. @default all
 * @returns the files that were written
 */
export async function saveOutputs(
  session: Session,
  client: Client<AnyModels>,
  job: Job,
  target: OutputTarget,
  only?: number,
): Promise<readonly SavedFile[]> {
  const count = job.data.length
  if (target.isStdout) {
    await toStdout(session, client, job, only ?? 0)
    if (only === undefined && count > 1)
      session.stderr.line(
        `The job has ${count} outputs, of which the first was written. Get another with: genmount get ${job.id}${session.typed} -n 1 -o -`,
      )
    return []
  }
  const saved: SavedFile[] = []
  for (const n of only === undefined ? job.data.keys() : [only]) {
    const isAlone = only !== undefined || count === 1
    saved.push(
      await fetched(
        session,
        client,
        job,
        n,
        (extension) => outputPath(target.path, job.id, n, isAlone ? 1 : count, extension),
        target.replaces,
      ),
    )
  }
  return saved
}

async function toStdout(
  { signal, stdout }: Session,
  client: Client<AnyModels>,
  job: Job,
  n: number,
): Promise<void> {
  const { body } = await client.download(job, n, { signal })
  await pipeline(streamOf(body), stdout.stream, { end: false, signal }).catch((cause) => {
    throw broken(cause)
  })
}

async function fetched(
  { signal }: Session,
  client: Client<AnyModels>,
  job: Job,
  n: number,
  pathFor: (extension: string) => string,
  replaces: boolean,
): Promise<SavedFile> {
  for (let tries = 1; ; tries++) {
    const answer = await client.download(job, n, { signal })
    const mediaType = answer.headers.get('content-type') ?? 'application/octet-stream'
    const path = pathFor(mediaExtension(mediaType))
    checkFree(path, replaces)
    const part = join(dirname(path), `.${basename(path)}.${randomUUID()}.part`)
    try {
      const file = createWriteStream(part, { flags: 'wx' })
      await pipeline(streamOf(answer.body), file, { signal })
      await (replaces ? rename(part, path) : link(part, path))
      return { path, mediaType }
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code === 'EEXIST') checkFree(path, false)
      if (isOfFiles(cause))
        throw new Error(`${path} can't be written: ${(cause as Error).message}`, { cause })
      if (signal.aborted || tries === maxTries) throw broken(cause)
    } finally {
      await rm(part, { force: true })
    }
  }
}

function streamOf(body: Response['body']): Readable {
  return body === null ? Readable.from([]) : Readable.fromWeb(body as ReadableStream)
}

function isOfFiles(cause: unknown): boolean {
  const { code, syscall } = cause as NodeJS.ErrnoException
  return code !== undefined && ['open', 'write', 'link', 'rename', 'close'].includes(syscall ?? '')
}

function broken(cause: unknown): GenmountError {
  const isAborted = (cause as Error).name === 'AbortError'
  return new GenmountError(isAborted ? 'aborted' : 'network_error', 'The download broke off.', { cause })
}
