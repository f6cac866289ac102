import { useStore } from '@genmount/page-kit/page'
import { useRef } from 'preact/hooks'
import type { JobBoard } from '../jobs/job-board.ts'
import { titleOf } from '../jobs/shape-of.ts'

/** Announces to screen readers which jobs have finished while the page was open. */
export function Announcer({ board }: { board: JobBoard }) {
  const { jobs } = useStore(board)
  const running = useRef(new Set<string>())
  const said = useRef('')
  for (const job of jobs) {
    if (job.status === 'processing') running.current.add(job.id)
    else if (running.current.delete(job.id))
      said.current = `${job.status === 'completed' ? 'Finished' : 'Failed'}: ${titleOf(job)}`
  }
  return (
    <p class="unseen" role="status">
      {said.current}
    </p>
  )
}
