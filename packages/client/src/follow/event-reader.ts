/** A server-sent event. */
export interface ServerEvent {
  readonly name: string
  readonly data: string
}

/** Parses one stream of server-sent events. */
export interface EventReader {
  /** The id of the latest event that had one. */
  readonly lastId: string | undefined
  /** How long a client should wait before it reconnects, in milliseconds, as the stream says. */
  readonly retryMs: number | undefined
  /** Takes the next chunk of the text. @returns the events that this chunk completes */
  take(piece: string): ServerEvent[]
}

/** Makes a parser by https://html.spec.whatwg.org/multipage/server-sent-events.html, for all kinds of line ends. */
export function eventReader(): EventReader {
  let rest = ''
  const reader = {
    lastId: undefined as string | undefined,
    retryMs: undefined as number | undefined,
    take(piece: string) {
      // A line end of two characters may be split between two chunks.
      const blocks = (rest + piece).replaceAll(/\r\n|\r(?!$)/g, '\n').split('\n\n')
      rest = blocks.pop()!
      return blocks.flatMap((block) => {
        const fields: Record<string, string> = {}
        for (const line of block.split('\n')) {
          const [, name = '', value = ''] = /^(\w+)(?:: ?(.*))?$/s.exec(line) ?? []
          fields[name] = name === 'data' && 'data' in fields ? `${fields['data']}\n${value}` : value
        }
        const { event = 'message', data, id, retry = '' } = fields
        reader.lastId = id ?? reader.lastId
        if (/^\d+$/.test(retry)) reader.retryMs = Number(retry)
        return data === undefined ? [] : [{ name: event, data }]
      })
    },
  }
  return reader
}
