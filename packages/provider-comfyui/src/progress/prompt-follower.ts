import type { Workflow } from '../workflow/workflow.ts'
import type { JobNews } from '@genmount/core'
import { openSocket } from '../socket/open-socket.ts'
import { type PromptNews, promptNews } from './prompt-news.ts'

/** The most WebSockets at once. ComfyUI runs one prompt at a time; other servers with the same API may run several. */
const maxSockets = 4
/** The back-off after a WebSocket has ended by itself, in milliseconds. It grows with each such end in a row. */
const restMs = { first: 1000, longest: 60_000 }

/** The message that asks ComfyUI for previews that name their prompt: server.py, websocket_handler. */
const greeting = JSON.stringify({ type: 'feature_flags', data: { supports_preview_metadata: true } })

/** How to reach a ComfyUI. */
export interface PromptFollowerOptions {
  /** Its address, an http or https URL without a slash at its end. `/ws` is appended. */
  readonly baseUrl: string
  /** Headers of the request that opens a WebSocket, for a proxy in front of ComfyUI. @default none */
  readonly headers?: Readonly<Record<string, string>> | undefined
}

/**
 * Follows the prompts of one ComfyUI over WebSockets. Each followed prompt that may be running has its own WebSocket;
 * at most four are open.
 */
export interface PromptFollower {
  /**
   * Opens a WebSocket for a prompt, and passes on its progress as soon as ComfyUI sends it, at most twice a second.
   * @param workflow the prompt's workflow: progress is the part of its nodes that is done, where a sampler counts once for
   *   each of its steps
   * @returns a function that stops following at once
   */
  follow(promptId: string, workflow: Workflow, tell: (news: JobNews) => void): () => void
  /**
   * Takes the result of the last poll: whether the prompt was running. A prompt that waits or has ended has no
   * WebSocket. For a running prompt, a broken WebSocket is opened again: one second later at the earliest, and up to a
   * minute later when WebSockets break repeatedly or the server has sent too much.
   */
  saw(promptId: string, isRunning: boolean): void
}

interface Followed {
  readonly news: PromptNews
  endSocket: (() => void) | undefined
}

/**
 * Makes the follower of one ComfyUI. The client id of a prompt is its own id, and ComfyUI sends what happens to a prompt
 * to the WebSocket that names its client id. So any process can follow any prompt, even a prompt that another process
 * has submitted. When two processes follow the same prompt, ComfyUI sends the messages only to the process that
 * connected later.
 * @example
 * const follower = promptFollower({ baseUrl: 'http://127.0.0.1:8188' })
 * const end = follower.follow(promptId, workflow, ({ progress }) => console.log(progress))
 * follower.saw(promptId, true)
 */
export function promptFollower({ baseUrl, headers = {} }: PromptFollowerOptions): PromptFollower {
  const followed = new Map<string, Followed>()
  let endsInARow = 0
  let restUntil = 0

  function connect(promptId: string, one: Followed): void {
    const open = [...followed.values()].filter(({ endSocket }) => endSocket).length
    if (one.endSocket || open >= maxSockets || performance.now() < restUntil) return
    one.endSocket = openSocket(new URL(`${baseUrl}/ws?clientId=${encodeURIComponent(promptId)}`), {
      headers,
      greeting,
      onText(text) {
        endsInARow = 0
        one.news.takeText(text)
      },
      onBytes: one.news.takeBytes,
      onEnd(isFlood) {
        one.endSocket = undefined
        const pause = isFlood ? restMs.longest : restMs.first * 2 ** endsInARow++
        restUntil = performance.now() + Math.min(restMs.longest, pause)
      },
    })
  }

  function disconnect(one: Followed): void {
    one.endSocket?.()
    one.endSocket = undefined
  }

  function end(promptId: string, one: Followed): void {
    one.news.end()
    disconnect(one)
    if (followed.get(promptId) === one) followed.delete(promptId)
  }

  return {
    follow(promptId, workflow, tell) {
      const one: Followed = { news: promptNews(promptId, workflow, tell), endSocket: undefined }
      followed.set(promptId, one)
      connect(promptId, one)
      return () => end(promptId, one)
    },
    saw(promptId, isRunning) {
      const one = followed.get(promptId)
      if (!one) return
      if (!isRunning) return disconnect(one)
      connect(promptId, one)
      one.news.tellAgain()
    },
  }
}
