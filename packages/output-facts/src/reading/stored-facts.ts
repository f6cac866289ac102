import type { Clock, FileStore, JobOutput, StoredFile } from '@genmount/core'
import { LRUCache } from 'lru-cache'
import { endBytes, type FileEnds } from './file-ends.ts'
import { factsOfEnds } from './facts-of-ends.ts'
import { keptFacts, type OutputFacts } from './facts.ts'
import { outputReader } from './output-reader.ts'

/** Up to this size, in bytes, a file is read to its end, so that its hash and its mark are known too. */
const mostReadBytes = 67_108_864
/** How long a file may be read, and how long a request waits for that, in milliseconds. */
const waitMs = 10_000
/** Of how many files the facts are remembered. */
const maxFiles = 1000

/** Finds the facts of an output. Never rejects: what can't be read now is absent. */
export type FactsOf = (output: JobOutput) => Promise<OutputFacts>

/**
 * Finds the facts of outputs: those that the job keeps. A file that was stored without facts, by an earlier release or without the
 * plugin, is read from the file store when somebody asks, one file at a time, and its facts are remembered.
 */
export function storedFacts(files: FileStore, clock: Clock): FactsOf {
  const read = new LRUCache<string, Promise<OutputFacts | undefined>>({ max: maxFiles })
  let last: Promise<unknown> = Promise.resolve()

  function factsOfFile(fileKey: string): Promise<OutputFacts | undefined> {
    const earlier = read.get(fileKey)
    if (earlier) return earlier
    const waitsUntil = clock.uptime() + waitMs
    const facts = last.then(() =>
      clock.uptime() < waitsUntil ? inTime(clock, readFile(files, fileKey)) : undefined,
    )
    last = facts
    read.set(fileKey, facts)
    // What could not be read may be there at the next request.
    void facts.then((of) => of ?? read.delete(fileKey))
    return facts
  }

  return async (output) => {
    const { facts, fileKey } = output
    const isUnread = facts === undefined && fileKey !== undefined && files.open !== undefined
    return { ...keptFacts(output), ...(isUnread && (await inTime(clock, factsOfFile(fileKey)))) }
  }
}

async function readFile(files: FileStore, fileKey: string): Promise<OutputFacts | undefined> {
  const file = await files.open?.(fileKey)
  if (!file) return undefined
  const { size, contentType, sha256 } = file
  if (size <= mostReadBytes) {
    const { read, facts } = outputReader(contentType)
    for await (const piece of file.read()) await read(piece)
    return facts() as Promise<OutputFacts>
  }
  const facts = await factsOfEnds(await endsOf(file), contentType)
  return { ...facts, ...(sha256 !== undefined && { sha256 }) }
}

async function endsOf(file: StoredFile): Promise<FileEnds> {
  const bytes = async (start: number, end: number) =>
    new Uint8Array(await new Response(file.read({ start, end })).arrayBuffer())
  const { size } = file
  return { size, head: await bytes(0, endBytes - 1), tail: await bytes(size - endBytes, size - 1) }
}

/** Waits for facts. @returns `undefined` after an error, and when the time is over */
function inTime(clock: Clock, facts: Promise<OutputFacts | undefined>): Promise<OutputFacts | undefined> {
  return new Promise((resolve) => {
    const cancel = clock.after(waitMs, () => resolve(undefined))
    const end = (of?: OutputFacts) => {
      cancel()
      resolve(of)
    }
    facts.then(end, () => end())
  })
}
