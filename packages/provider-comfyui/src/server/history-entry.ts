import type { OutputKind } from '@genmount/core'
import { fileEndings, numberIn, recordOf } from '@genmount/provider-kit'

/** A file in the output of a node. */
export interface OutputFile {
  /** The node that has saved it. */
  readonly node: string
  readonly filename: string
  readonly subfolder: string
  readonly type: string
}

/** How a prompt has ended. `inferenceMs` is the time from its start to its end, by ComfyUI's clock. */
export type PromptOutcome =
  | {
      readonly state: 'succeeded'
      readonly files: readonly OutputFile[]
      /** The names of the files of other kinds. */
      readonly others: readonly string[]
      readonly inferenceMs?: number
    }
  | { readonly state: 'failed'; readonly message: string }
  /** The entry has a status that this provider does not know. */
  | { readonly state: 'unknown' }

type Fields = Readonly<Record<string, unknown>>

/**
 * Reads the answer of `GET /history/{prompt_id}`.
 * @param kind the kind of files that count, unless `outputNodes` names their nodes. `undefined`: all kinds
 * @param outputNodes the nodes whose files count. @default all nodes
 * @returns `undefined` when there is no entry. ComfyUI writes the entry when the prompt has ended
 * @throws Error when the answer is not a history of ComfyUI, and so says nothing about the prompt
 */
export function outcomeIn(
  json: unknown,
  promptId: string,
  kind: OutputKind | undefined,
  outputNodes?: readonly string[],
): PromptOutcome | undefined {
  const entry = historyIn(json)[promptId]
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
    ...filesOf(recordOf(outputs), kind, outputNodes),
    ...(inferenceMs >= 0 && { inferenceMs }),
  }
}

/** The entries of a history by their prompt ids. @throws Error when the answer is not a history of ComfyUI */
export function historyIn(json: unknown): Fields {
  if (typeof json === 'object' && json !== null && !Array.isArray(json)) return json as Fields
  throw new Error('The answer is not a history of ComfyUI.')
}

/**
 * Reads every list of files, because nodes name them differently: `images`, `gifs`, `video`, `audio`. Type `temp` is a
 * preview.
 */
function filesIn(outputs: Fields, nodes: readonly string[]): OutputFile[] {
  return nodes.flatMap((node) =>
    Object.values(recordOf(outputs[node]))
      .flat()
      .map(recordOf)
      .flatMap(({ filename, subfolder, type }) =>
        typeof filename === 'string' && filename !== '' && type !== 'temp'
          ? [{ node, filename, subfolder: String(subfolder ?? ''), type: String(type ?? 'output') }]
          : [],
      ),
  )
}

/** Formats of pictures in which workflows also save films. */
const animated = /\.(?:webp|gif|png|avif)$/i

/**
 * The files of the model's kind, in the order of their nodes. A workflow also saves other files, such as stills, sounds
 * and texts: they are no outputs, unless the app names their nodes.
 */
function filesOf(outputs: Fields, kind: OutputKind | undefined, nodes?: readonly string[]) {
  const files = filesIn(outputs, nodes ?? Object.keys(outputs))
  if (kind === undefined) return { files, others: [] }
  const ofKind = files.filter(({ filename }) => fileEndings[kind].test(filename))
  if (nodes) return { files: [...ofKind, ...files.filter((file) => !ofKind.includes(file))], others: [] }
  // A film as an animated picture, such as those of VHS_VideoCombine and SaveAnimatedWEBP.
  const isFilm = ({ node, filename }: OutputFile) => {
    const { gifs, animated: flags } = recordOf(outputs[node])
    return animated.test(filename) && (Array.isArray(gifs) || [flags].flat().includes(true))
  }
  const films = kind === 'video' && ofKind.length === 0 ? files.filter(isFilm) : []
  const outputFiles = [...ofKind, ...films]
  const others = files.filter((file) => !outputFiles.includes(file)).map(({ filename }) => filename)
  return { files: outputFiles, others }
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
  return numberIn(event?.['timestamp']) ?? Number.NaN
}
