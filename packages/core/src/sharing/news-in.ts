import type { JobNews, JobPreview } from '../contracts/provider-report.ts'
import { isAmount } from '../pricing/price.ts'
import { fromBase64, toBase64 } from '../text/base64.ts'

/** The news as JSON, for channels that carry text. The preview is base64. */
export function newsText({ preview, ...others }: JobNews): string {
  const previewJson = preview && { contentType: preview.contentType, base64: toBase64(preview.bytes) }
  return JSON.stringify({ ...others, preview: previewJson })
}

/** The largest preview, in bytes. A larger one is left out. */
const maxPreviewBytes = 64 * 1024

const previewTypes: ReadonlySet<unknown> = new Set([
  'image/png',
  'image/jpeg',
  'image/webp',
  'image/gif',
  'image/avif',
])

/**
 * Reads the news in a provider's `running` report, or in the text that {@link newsText} has written. Invalid parts are
 * left out, and a progress below 0 or above 1 counts as 0 or 1, because wrong news must not fail a poll.
 * @returns `undefined` when the report contains no news
 */
export function newsIn(word: Readonly<Record<string, unknown>>): JobNews | undefined {
  const { progress, queuePosition, preview } = word
  const previewJson = previewIn(preview)
  const news = {
    ...(typeof progress === 'number' &&
      !Number.isNaN(progress) && { progress: Math.min(1, Math.max(0, progress)) }),
    ...(isAmount(queuePosition) && { queuePosition: Math.floor(queuePosition) }),
    ...(previewJson && { preview: previewJson }),
  }
  return Object.keys(news).length > 0 ? news : undefined
}

function previewIn(preview: unknown): JobPreview | undefined {
  const {
    base64,
    bytes = fromBase64(base64),
    contentType,
  } = (preview ?? {}) as Readonly<Record<string, unknown>>
  if (!(bytes instanceof Uint8Array) || !previewTypes.has(contentType)) return undefined
  const isBounded = bytes.byteLength > 0 && bytes.byteLength <= maxPreviewBytes
  return isBounded ? { bytes, contentType: contentType as string } : undefined
}
