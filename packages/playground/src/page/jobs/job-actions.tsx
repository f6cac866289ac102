import { Icon, ownValue } from '@genmount/page-kit/page'
import { useState } from 'preact/hooks'
import { FailureNotice } from '../parts/failure-notice.tsx'
import { SnippetDialog } from '../snippets/snippet-dialog.tsx'
import type { JobCardProps } from './job-card-props.ts'
import type { Output } from './output.ts'

/** The buttons of a job. */
export function JobActions(
  props: JobCardProps & { readonly n: number; readonly output: Output | undefined },
) {
  const { board, job, n, output, onUse, onReuse } = props
  const [isCopying, setIsCopying] = useState(false)
  const [isAsking, setIsAsking] = useState(false)
  const [isBusy, setIsBusy] = useState(false)
  const [error, setError] = useState<unknown>()

  async function run(action: () => Promise<void>) {
    setIsBusy(true)
    setError(undefined)
    try {
      await action()
    } catch (cause) {
      setError(cause)
    }
    setIsBusy(false)
  }

  return (
    <>
      <div class="actions">
        {job.status === 'processing' && (
          <button type="button" class="button" disabled={isBusy} onClick={() => run(() => board.cancel(job))}>
            <Icon name="stop" /> {isBusy ? 'Canceling…' : 'Cancel'}
          </button>
        )}
        {output && (
          <a class="button primary" href={output.src} download={output.fileName}>
            <Icon name="download" /> Download
          </a>
        )}
        {onUse && (output ?? job.status === 'processing') && (
          <button
            type="button"
            class="button"
            disabled={isBusy}
            title={output ? undefined : 'The next job waits for the result of this one'}
            onClick={() => run(() => onUse(n, output))}
          >
            <Icon name="input" /> Use as input
          </button>
        )}
        <button type="button" class="button" onClick={() => setIsCopying(true)}>
          <Icon name="code" /> Copy as code
        </button>
        <button type="button" class="button" title="Puts these settings into the form" onClick={onReuse}>
          <Icon name="redo" /> Reuse
        </button>
        {job.status !== 'processing' && (
          <button
            type="button"
            class={isAsking ? 'button danger' : 'button plain square'}
            disabled={isBusy}
            onBlur={() => setIsAsking(false)}
            onClick={() => (isAsking ? run(() => board.remove(job)) : setIsAsking(true))}
          >
            <Icon name="trash" />
            {isAsking ? ' Delete it?' : <span class="unseen">Delete</span>}
          </button>
        )}
      </div>
      <FailureNotice error={error} />
      {isCopying && (
        <SnippetDialog
          model={job.model}
          input={ownValue(board.state.sent, job.id) ?? job.input}
          onClose={() => setIsCopying(false)}
        />
      )}
    </>
  )
}
