import { type JobNews, newsIn, newsText } from '@genmount/core'

/**
 * The limit of payloads in Postgres, in bytes: payloads must be shorter.
 * https://www.postgresql.org/docs/current/sql-notify.html
 */
const payloadLimit = 8000

/** The payload of news begins with this. The payload of a signal is the id of a job. */
const mark = 'news:'

/** The payload of a notification with news. A preview that is too large for a notification is left out. */
export function newsPayload(jobId: string, news: JobNews): string {
  const whole = payloadOf(jobId, news)
  if (new TextEncoder().encode(whole).length < payloadLimit) return whole
  const { preview: _, ...others } = news
  return payloadOf(jobId, others)
}

function payloadOf(jobId: string, news: JobNews): string {
  return `${mark}{"job":${JSON.stringify(jobId)},"news":${newsText(news)}}`
}

/** Parses the news in a payload; `undefined` when it contains none. */
export function newsInPayload(
  payload: string,
): { readonly jobId: string; readonly news: JobNews } | undefined {
  if (!payload.startsWith(mark)) return undefined
  try {
    const { job, news } = JSON.parse(payload.slice(mark.length))
    const validNews = newsIn(news)
    return validNews && { jobId: String(job), news: validNews }
  } catch {
    return undefined
  }
}
