import { type Job, jobUrl, toBase64 } from '@genmount/client'
import type { CallToolResult } from '@modelcontextprotocol/server'
import type { ToolContext } from '../tools/tool-context.ts'
import type { AwaitedJob } from '../waiting/waiting.ts'
import { type FetchedFile, fetchFile, fetchSmaller } from './fetched-file.ts'
import { fileUri } from './file-uri.ts'
import { mayBeShown, shownPictureType } from './shown-picture-type.ts'

type Content = CallToolResult['content'][number]

interface ShownFile {
  readonly facts: Record<string, string | number>
  readonly line: string
  readonly content: readonly Content[]
}

/**
 * The answer that shows a job: a text, the job as data, as many of its pictures as fit, and a link to each file. A
 * failed job is an error.
 */
export async function jobResult(
  { client, settings }: ToolContext,
  { job, isCutShort = false }: AwaitedJob,
  signal: AbortSignal,
): Promise<CallToolResult> {
  let room = settings.maxPictureBytes
  const files: ShownFile[] = []
  for (const { n } of client.files(job)) {
    const reference = { jobId: job.id, n }
    const maxBytesOf = (type: string) => (mayBeShown(type) ? room : 0)
    const file = await fetchFile(client, reference, maxBytesOf, signal).catch((error: unknown) => {
      // The job is paid for, so the answer is not an error, whatever has broken off the download. The agent can try the
      // link to the file again.
      if (!signal.aborted) return undefined
      throw error
    })
    const smaller =
      file?.bytes || !file?.mimeType || room <= 0
        ? undefined
        : await fetchSmaller(client, reference, file.mimeType, room, signal)
    const preview = smaller ?? file?.bytes
    room -= preview?.length ?? 0
    files.push(shownFile(fileUri(reference), `${job.id}-${n}`, file, preview))
  }
  const { id: job_id, status, model, cost_usd, error, created_at, expires_at } = job
  const facts = { job_id, status, model, cost_usd, error, created_at, expires_at }
  return {
    ...(status === 'failed' && { isError: true }),
    content: [
      {
        type: 'text',
        text: [story(job), ...(isCutShort ? [notWaited] : []), ...files.map(({ line }) => line)].join('\n'),
      },
      ...files.flatMap(({ content }) => content),
    ],
    structuredContent: { ...facts, files: files.map((file) => file.facts) },
  }
}

const notWaited =
  'This call has not waited until the end, because too many calls are waiting for jobs, or the service closes. Call again in 10 seconds or more.'

function story({ id, status, model, cost_usd, error, expires_at }: Job): string {
  if (status === 'processing')
    return `The job ${id} of ${model} is still processing. To wait for it, call get_job with this job_id and wait: true. To end it, call cancel_job. The next job can have its first file as input already: ${jobUrl(id)}.`
  const cost = `It has cost ${cost_usd} USD.`
  if (status === 'failed') return `${error}\nThe job ${id} of ${model} has failed. ${cost}`
  return `The job ${id} of ${model} has completed. ${cost} Its files are kept until ${expires_at}.`
}

function shownFile(
  uri: string,
  name: string,
  file: FetchedFile | undefined,
  preview: Uint8Array | undefined,
): ShownFile {
  const { mimeType, openUrl, bytes, size } = file ?? {}
  const facts = {
    uri,
    ...(mimeType !== undefined && { mime_type: mimeType }),
    ...(size !== undefined && { bytes: size }),
    ...(openUrl !== undefined && { open_url: openUrl }),
  }
  const about = [
    mimeType,
    size === undefined ? undefined : `${size} bytes`,
    preview === bytes ? undefined : 'shown here as a small picture',
  ]
    .filter(Boolean)
    .join(', ')
  const where = openUrl === undefined ? '' : `; whoever has this link can open it for a while: ${openUrl}`
  const shownType = preview && shownPictureType(preview)
  const small = shownType === undefined ? [] : [picture(preview!, shownType)]
  const link = {
    type: 'resource_link' as const,
    uri,
    name,
    ...(mimeType && { mimeType }),
    ...(size && { size }),
  }
  return { facts, line: `${uri} (${about})${where}`, content: [...small, link] }
}

function picture(bytes: Uint8Array, mimeType: string): Content {
  return { type: 'image', data: toBase64(bytes), mimeType }
}
