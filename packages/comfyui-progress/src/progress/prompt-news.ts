import type { Buffer } from 'node:buffer'
import type { Workflow } from '@genmount/comfyui-workflow'
import type { JobNews, JobPreview } from '@genmount/core'
import { isOfNodes, nodeStates } from './node-states.ts'
import { previewIn } from './preview-in.ts'
import { workflowProgress } from './workflow-progress.ts'

/** The shortest time between two news of a prompt, in milliseconds. */
const pauseMs = 500

/** Gathers what ComfyUI says about one prompt, and tells the newest of it at most twice a second. */
export interface PromptNews {
  takeText(text: string): void
  takeBytes(bytes: Buffer): void
  /** Tells the progress again, for those who have come to listen since. */
  tellAgain(): void
  /** Ends it: nothing more is told. */
  end(): void
}

/** @param tell takes the news */
export function promptNews(promptId: string, workflow: Workflow, tell: (news: JobNews) => void): PromptNews {
  const progressOf = workflowProgress(workflow)
  let progress: number | undefined
  /** The newest message about nodes. It is read only when its news are told: ComfyUI may send hundreds a second. */
  let unread: string | undefined
  let picture: Buffer | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let toldAt = Number.NEGATIVE_INFINITY

  function tellSoon(): void {
    timer ??= setTimeout(tellNow, Math.max(0, toldAt + pauseMs - performance.now()))
  }

  function tellNow(): void {
    timer = undefined
    toldAt = performance.now()
    const states = unread === undefined ? undefined : nodeStates(unread, promptId)
    const preview: JobPreview | undefined = picture && previewIn(picture, promptId)
    unread = picture = undefined
    // A node of a workflow with branches may begin twice, which must not turn the bar back.
    if (states) progress = Math.max(progress ?? 0, progressOf(states))
    if (progress !== undefined || preview)
      tell({ ...(progress !== undefined && { progress }), ...(preview && { preview }) })
  }

  return {
    takeText(text) {
      if (!isOfNodes(text)) return
      unread = text
      tellSoon()
    },
    takeBytes(bytes) {
      picture = bytes
      tellSoon()
    },
    tellAgain() {
      if (progress !== undefined) tellSoon()
    },
    end: () => clearTimeout(timer),
  }
}
