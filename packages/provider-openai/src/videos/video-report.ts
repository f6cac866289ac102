import { type JsonObject, type ProviderFailure, type ProviderReport, providerFailures } from '@genmount/core'
import {
  type AnswerFiles,
  answerFiles,
  failed,
  failureBy,
  fetchedReport,
  listedFiles,
  numberIn,
  partWith,
  type VendorAnswer,
  vendorReason,
} from '@genmount/provider-kit'
import { linkFaultAt } from '../compatible/made-images.ts'
import { failureOf } from '../gpt-image/openai-failure.ts'
import { maxAnswerBytes, unknownVideo, videoHandle, videoPath, type VideoServer } from './video-task.ts'

/** A video of the API, as it arrived. */
export type Video = Readonly<Record<string, unknown>>

/** A task that the server has, and what a report on it needs. */
export interface VideoTask {
  readonly handle: JsonObject
  readonly signal: AbortSignal
  readonly owner: string | undefined
  /** What the film costs if the server does not say it, in US dollars. */
  costOf(video: Video): number | undefined
}

const ended = /^(?:complete|completed|done|finished|ready|succeeded|success|successful)$/i
const stopped = /^(?:cancelled|canceled|deleted|error|expired|failed|failure|rejected)$/i

/**
 * Turns the answer to a submit into a report. Only a poll reads the state of the film, so that its id is stored before
 * anything else. A server that makes the film within the request answers with the film.
 * @throws Error when the answer has neither an id nor a film
 */
export function startedReport(
  answer: VendorAnswer,
  { vendor, baseUrl }: VideoServer,
  costOf: VideoTask['costOf'],
): ProviderReport {
  const { id, task_id } = partWith(['id', 'task_id'], answer.json)
  const handle = videoHandle(id ?? task_id)
  if (handle) return { state: 'running', handle }
  const content = answer.content
  const films = answerFiles(content, { kind: 'video', linkFault: linkFaultAt(baseUrl) })
  if (!films.hasOutput) throw new Error(`${vendor} answered a submit without the id of a video.`)
  const costUsd = costIn(partWith('usage', content)) ?? costOf({})
  return films.report({ vendor, kind: 'video', answer: content, costUsd })
}

/** Reads a film at the server and reports its state. If it is finished, what opens only with the key is downloaded. */
export async function polledReport(server: VideoServer, task: VideoTask): Promise<ProviderReport> {
  const path = videoPath(task.handle)
  if (path === undefined) return unknownVideo(server.vendor)
  const answer = await server.ask({ method: 'GET', path, signal: task.signal, maxBytes: maxAnswerBytes })
  if (!answer.ok) return answer.pollFailure()
  return videoReport(partWith(['status', 'unsigned_urls', 'urls'], answer.content), server, task)
}

async function videoReport(video: Video, server: VideoServer, task: VideoTask): Promise<ProviderReport> {
  const { vendor } = server
  const { handle } = task
  const over = endOf(video, vendor)
  if (over) return over
  const named = namedFilms(video, server)
  const { status } = video
  const state = typeof status === 'string' ? status : named?.hasOutput ? 'completed' : undefined
  if (state === undefined) throw new Error(`${vendor} answered a poll without a status.`)
  if (!ended.test(state)) return { state: 'running', handle, progress: progressIn(video) }
  const seconds = numberIn(video['inference_time_s'])
  return fetchedReport(
    fetchableFilms(named, task, server),
    { ...server, ...task, origin: new URL(server.baseUrl).origin },
    {
      handle,
      vendor,
      kind: 'video',
      answer: video,
      failureOf: videoFailureOf,
      costUsd: costIn(video) ?? task.costOf(video),
      inferenceMs: seconds === undefined ? undefined : Math.round(seconds * 1000),
    },
    (url) => isKeyed(url, server),
  )
}

/**
 * The report on a film that has ended without success, by a poll or by a webhook.
 * @returns `undefined` for any other state
 */
export function endOf(video: Video, vendor: string): ProviderReport | undefined {
  const { status, error } = video
  if (typeof status !== 'string' || !stopped.test(status)) return undefined
  const reason = vendorReason({ error }, videoFailureOf)
  const message = reason?.message || otherwise(status.toLowerCase(), vendor)
  const code = reason?.code ?? failureBy([], message)
  return failed(code === 'output_invalid' ? 'provider_failed' : code, message, costIn(video))
}

function otherwise(status: string, vendor: string): string {
  if (status.startsWith('cancel')) return `The video was canceled at ${vendor}.`
  if (status === 'expired') return `The video has expired at ${vendor}.`
  return `${vendor} gave no reason.`
}

/** What a code of an error means. A genmount behind this one has the codes of jobs. */
function videoFailureOf(code: string): ProviderFailure | undefined {
  return failureOf(code) ?? providerFailures.find((failure) => failure === code)
}

/** What the server says that the film costs, in US dollars. */
function costIn({ usage }: Video): number | undefined {
  const { cost } = partWith('cost', usage)
  const usd = numberIn(cost)
  return usd !== undefined && usd >= 0 ? usd : undefined
}

function progressIn({ progress }: Video): number | undefined {
  const percent = numberIn(progress)
  return percent === undefined ? undefined : Math.min(1, Math.max(0, percent / 100))
}

/** The films that an answer names. `undefined` when it has no place for them, as OpenAI's own. */
function namedFilms(video: Video, { baseUrl }: VideoServer): AnswerFiles | undefined {
  const search = { kind: 'video', linkFault: linkFaultAt(baseUrl) } as const
  // Signed URLs come first, because they open without the key.
  const lists = [video['urls'], video['unsigned_urls']].filter(Array.isArray)
  const urls = lists.find((list) => list.length > 0) ?? lists[0]
  if (urls !== undefined) return answerFiles({ urls }, search)
  const list = answerFiles(video, search).list.filter(({ fault }) => fault !== 'is empty')
  return list.length > 0 ? listedFiles(list) : undefined
}

/**
 * The films as they can be fetched. A film that the answer does not name is at `/videos/{id}/content`. A gateway may repeat
 * the address of the server behind it for that path, and serves it under its own.
 */
function fetchableFilms(
  films: AnswerFiles | undefined,
  { handle }: VideoTask,
  { baseUrl }: VideoServer,
): AnswerFiles {
  const content = `${videoPath(handle)}/content`
  const base = baseUrl.replace(/\/$/, '')
  const at = (link: string): string => {
    const url = new URL(link, `${base}/`)
    return url.pathname.endsWith(content) ? `${base}${content}${url.search}` : url.href
  }
  const { list } = films ?? { list: [{ at: 'content', output: { url: `${base}${content}` } }] }
  return listedFiles(
    list.map((film) => {
      const { output } = film
      return output && 'url' in output ? { ...film, output: { ...output, url: at(output.url) } } : film
    }),
  )
}

/** Whether a client could not open the link: it needs the key, or leads into the network of the server. */
function isKeyed(link: string, { baseUrl }: VideoServer): boolean {
  const { origin, protocol } = new URL(link)
  return origin === new URL(baseUrl).origin || protocol !== 'https:'
}
