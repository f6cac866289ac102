import { jsonIn, recordOf } from '@genmount/provider-kit'

/**
 * Whether the text is one of the messages that {@link nodeStates} reads. Only its beginning is checked, because most
 * messages are of other types.
 */
export function isOfNodes(text: string): boolean {
  return /^\s*\{\s*"type"\s*:\s*"(?:progress_state|executing)"/.test(text)
}

/**
 * The nodes of a prompt that have begun, each with the part of it that is done, from 0 to 1, in a message of ComfyUI:
 * https://github.com/Comfy-Org/ComfyUI comfy_execution/progress.py at 1b71f27 and server.py at 002c3fb (read in November
 * 2026).
 * - `progress_state`: all nodes that have begun.
 * - `executing`: the node that has begun now. A client that connects while the prompt runs gets this message without a
 * prompt id.
 * @returns `undefined` when the message says nothing about this prompt
 */
export function nodeStates(text: string, promptId: string): ReadonlyMap<string, number> | undefined {
  const { type, data } = recordOf(jsonIn(text))
  const { prompt_id, nodes, node } = recordOf(data)
  if (type === 'executing' && typeof node === 'string' && (prompt_id ?? promptId) === promptId)
    return new Map([[node, 0]])
  if (type !== 'progress_state' || prompt_id !== promptId) return undefined
  return new Map(Object.entries(recordOf(nodes)).map(([id, state]) => [id, partOf(recordOf(state))]))
}

function partOf({ state, value, max }: Readonly<Record<string, unknown>>): number {
  if (state === 'finished') return 1
  const part = Number(value) / Number(max)
  return part >= 0 ? Math.min(1, part) : 0
}
