import type { Job } from '@genmount/client'
import { GenerationError, type JobWatcher } from '@genmount/core'
import type { ToolContext, Watch } from '../tools/tool-context.ts'
import type { AwaitedJob, OnNews, Waiting } from './waiting.ts'

/**
 * Waits for a job of a service in this process, in one of the service's places for waiters. This takes a tenth of the
 * memory of a client that reads the job's events.
 * @throws GenmountError
 */
export async function watchJob(
  context: ToolContext,
  watch: Watch,
  job: Job,
  { signal, waitMs }: Waiting,
  onNews: OnNews | undefined,
): Promise<AwaitedJob> {
  const { promise: hasEnded, resolve: leave } = Promise.withResolvers<boolean>()
  const watcher: JobWatcher = {
    onChange() {},
    onNews: ({ progress, queuePosition }) => onNews?.(progress, queuePosition),
    onEnd: () => leave(true),
  }
  let end = () => {}
  try {
    end = await watch(job.id, watcher)
  } catch (error) {
    if (error instanceof GenerationError && error.code === 'capacity_exceeded')
      return { job, isCutShort: true }
    // The service tells the client the reason.
    leave(true)
  }
  const onAbort = () => leave(false)
  if (signal.aborted) onAbort()
  signal.addEventListener('abort', onAbort)
  const timer = setTimeout(leave, waitMs, false)
  const isToBeRead = await hasEnded
  clearTimeout(timer)
  signal.removeEventListener('abort', onAbort)
  end()
  if (!isToBeRead) return { job }
  const latest = await context.client.get(job.id, { signal })
  return { job: latest, isCutShort: latest.status === 'processing' }
}
