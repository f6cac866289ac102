import type { Buffer } from 'node:buffer'
import type { Workflow } from '../workflow/workflow.ts'
import type { JobNews, JobPreview } from '@genmount/core'
import { isOfNodes, nodeStates } from './node-states.ts'
import { previewIn } from './preview-in.ts'
import { workflowProgress } from './workflow-progress.ts'

/** The shortest time between two reports on a prompt, in milliseconds. */
const pauseMs = 500

/** Collects the messages of ComfyUI about one prompt, and reports the latest state at most twice a second. */
export interface PromptNews {
  takeText(text: string): void
  takeBytes(bytes: Buffer): void
  /** Reports the progress again, for listeners that were added since the last report. */
  tellAgain(): void
  /** Stops all further reports. */
  end(): void
}

/** @param tell receives each report */
export function promptNews(promptId: string, workflow: Workflow, tell: (news: JobNews) => void): PromptNews {
  const progressOf = workflowProgress(workflow)
  let progress: number | undefined
  /**
   * The latest message about nodes. It is parsed only when it is reported, because ComfyUI may send hundreds a second.
   */
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
    // In a workflow with branches, a node may begin twice. The progress must not decrease then.
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
