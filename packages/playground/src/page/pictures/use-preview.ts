import { type AnyModels, type Client, readJobUrl } from '@genmount/client'
import { ownValue, useStore } from '@genmount/page-kit/page'
import type { ChosenFile } from '../form/values.ts'
import type { JobBoard } from '../jobs/job-board.ts'
import { useOutput } from '../jobs/use-output.ts'

/** What the page can show of a chosen file. */
export interface FilePreview {
  /** What `<img>` or `<video>` shows. */
  readonly preview: string | undefined
  /** Whether the file is an output that is still being made. */
  readonly isAwaited: boolean
}

/** Shows a chosen file. For an output of a job, that is the output itself, or a preview of it while the job is processing. */
export function usePreview(
  client: Client<AnyModels>,
  board: JobBoard,
  file: ChosenFile | undefined,
): FilePreview {
  const { jobs, news } = useStore(board)
  const { jobId, n = 0 } = readJobUrl(file?.url ?? '') ?? {}
  const job = jobs.find(({ id }) => id === jobId)
  const { output } = useOutput(client, job, n)
  const isAwaited = job?.status === 'processing'
  const preview = isAwaited ? ownValue(news, job.id)?.preview : output?.src
  return { preview: file?.preview ?? preview, isAwaited }
}
