import { mediaTypeOf } from '@genmount/core'
import { jsonReader } from '../client/json-in.ts'
import { recordOf } from '../client/record-of.ts'
import type { ReceivedAnswer } from '../client/received-answer.ts'

/** The most events of a stream that are read, or lines of JSON. A stream of images has a few for each image. */
const maxEvents = 1000

/**
 * What a successful answer contains: its JSON; the file, for a server that sends it without anything around it; the events of a
 * stream; or else its text, of a page only the words.
 */
export function contentOf({ bytes, json, text }: Pick<ReceivedAnswer, 'bytes' | 'json' | 'text'>): unknown {
  if (json !== undefined) return json
  if (/^(?:image|video)\//.test(mediaTypeOf(bytes) ?? '')) return { images: [bytes], videos: [bytes] }
  const whole = eventsIn(text).filter(
    (event) => event !== undefined && !/partial/.test(String(recordOf(event)['type'])),
  )
  return whole.length > 0 ? whole : wordsOfPage(text)
}

function eventsIn(text: string): readonly unknown[] {
  const read = jsonReader()
  const events: unknown[] = []
  // Some servers send lines of JSON without anything before them.
  for (const [, data = ''] of text.matchAll(/^(?:data: ?(?=\S)|(?=[{[]))(.+)$/gm))
    if (events.push(read(data)) === maxEvents) break
  return events
}

/** The title of a page, or the words of any other text. */
function wordsOfPage(text: string): string {
  const [, title = ''] = /<title[^<>]*>([^<]*)/i.exec(text.slice(0, 10_000)) ?? []
  const words = title || text.slice(0, 2000).replace(/<(script|style)[^]*?(?:<\/\1>|$)|<[^>]*(?:>|$)/gi, ' ')
  return words.replace(/\s+/g, ' ').trim()
}
