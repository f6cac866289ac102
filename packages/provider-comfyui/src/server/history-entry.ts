import { recordOf } from '@genmount/vendor-http'

/** A file in the output of a node. */
export interface OutputFile {
  readonly filename: string
  readonly subfolder: string
  readonly type: string
}

/** How a prompt has ended. `inferenceMs` is the time from its start to its end, by ComfyUI's clock. */
export type PromptOutcome =
  | { readonly state: 'succeeded'; readonly files: readonly OutputFile[]; readonly inferenceMs?: number }
  | { readonly state: 'failed'; readonly message: string }
  /** The entry has a status that this provider does not know. */
  | { readonly state: 'unknown' }

type Fields = Readonly<Record<string, unknown>>

/**
 * Reads the answer of `GET /history/{prompt_id}`.
 * @param outputNodes the nodes whose files count. @default all nodes
 * @returns `undefined` when there is no entry. ComfyUI writes the entry when the prompt has ended
 * @throws Error when the answer is not a history of ComfyUI, and so says nothing about the prompt
 */
export function outcomeIn(
  json: unknown,
  promptId: string,
  outputNodes?: readonly string[],
): PromptOutcome | undefined {
  if (typeof json !== 'object' || json === null || Array.isArray(json))
    throw new Error('The answer is not a history of ComfyUI.')
  const entry = (json as Fields)[promptId]
  if (entry === undefined) return undefined
  const { status, outputs } = recordOf(entry)
  const { status_str: word = 'success', messages } = recordOf(status)
  const events = eventsIn(messages)
  // The status can say success although there was an error: when nodes form a circle, ComfyUI reports only the event.
  const error = events.get('execution_error')
  if (error) return { state: 'failed', message: wordsOf(error) }
  if (events.has('execution_interrupted'))
    return { state: 'failed', message: 'The task was stopped in ComfyUI.' }
  if (word === 'error') return { state: 'failed', message: 'The workflow has failed in ComfyUI.' }
  if (word !== 'success') return { state: 'unknown' }
  const inferenceMs = timeOf(events.get('execution_success')) - timeOf(events.get('execution_start'))
  return {
    state: 'succeeded',
    files: filesIn(recordOf(outputs), outputNodes),
    ...(inferenceMs >= 0 && { inferenceMs }),
  }
}

/**
 * Reads every list of files, because nodes name them differently: `images`, `gifs`, `video`, `audio`. Type `temp` is a
 * preview.
 */
function filesIn(outputs: Fields, nodes: readonly string[] = Object.keys(outputs)): OutputFile[] {
  return nodes
    .flatMap((node) => Object.values(recordOf(outputs[node])).flat())
    .map(recordOf)
    .flatMap(({ filename, subfolder = '', type = 'output' }) =>
      typeof filename === 'string' && filename !== '' && type !== 'temp'
        ? [{ filename, subfolder: String(subfolder), type: String(type) }]
        : [],
    )
}

function wordsOf({ node_id, node_type, exception_message }: Fields): string {
  const node = node_type === undefined ? 'A node' : `${String(node_type)} (node ${String(node_id)})`
  return `${node}: ${String(exception_message ?? 'no reason given').trim()}`
}

/** The data of each event in `messages`, a list of `[event, data]`. If an event occurs twice, the last one counts. */
function eventsIn(messages: unknown): ReadonlyMap<unknown, Fields> {
  const pairs = Array.isArray(messages) ? messages.filter((message) => Array.isArray(message)) : []
  return new Map(pairs.map(([event, data]: unknown[]) => [event, recordOf(data)]))
}

function timeOf(event: Fields | undefined): number {
  return Number(event?.['timestamp'] ?? Number.NaN)
}
