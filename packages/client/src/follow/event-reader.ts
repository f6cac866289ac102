/** A server-sent event. */
export interface ServerEvent {
  readonly name: string
  readonly data: string
}

/** The events of one stream, and what the stream says about itself. */
export interface EventReader {
  /** The id of the latest event that had one. */
  readonly lastId: string | undefined
  /** After how many milliseconds a client should come back, as the stream says. */
  readonly retryMs: number | undefined
  /** Takes the next piece of the text. @returns the events that are whole with it */
  take(piece: string): ServerEvent[]
}

/** Reads https://html.spec.whatwg.org/multipage/server-sent-events.html, whatever the line ends are. */
export function eventReader(): EventReader {
  let rest = ''
  let lastId: string | undefined
  let retryMs: number | undefined

  return {
    get lastId() {
      return lastId
    },
    get retryMs() {
      return retryMs
    },
    take(piece) {
      // The second half of a line end may come with the next piece.
      const text = rest + piece
      const end = text.endsWith('\r') ? text.length - 1 : text.length
      const blocks = text.slice(0, end).replaceAll(/\r\n?/g, '\n').split('\n\n')
      rest = blocks.pop() + text.slice(end)
      return blocks.flatMap((block) => {
        const fields: Record<string, string> = {}
        for (const line of block.split('\n')) {
          const [, name = '', value = ''] = /^(\w+)(?:: ?(.*))?$/.exec(line) ?? []
          fields[name] = name === 'data' && 'data' in fields ? `${fields['data']}\n${value}` : value
        }
        const { event = 'message', data, id, retry = '' } = fields
        lastId = id ?? lastId
        if (/^\d+$/.test(retry)) retryMs = Number(retry)
        return data === undefined ? [] : [{ name: event, data }]
      })
    },
  }
}
