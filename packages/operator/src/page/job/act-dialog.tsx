import { Dialog } from '@genmount/page-kit/page'
import { useState } from 'preact/hooks'
import { jobAddress } from '../address.ts'
import type { Act, ActAnswer, OperatorJob } from '../api/wire.ts'
import { FailureNotice } from '../parts/failure-notice.tsx'
import { ReasonField } from '../parts/reason-field.tsx'
import { useSending } from '../parts/use-sending.ts'
import { useSession } from '../session.ts'
import { actWords } from '../words/act-words.ts'

interface ActDialogProps {
  readonly act: Act
  readonly job: OperatorJob
  readonly onDone: () => void
  readonly onClose: () => void
}

/** Asks for the reason of an act, does it, and says what came of it. */
export function ActDialog({ act, job, onDone, onClose }: ActDialogProps) {
  const { api } = useSession()
  const { name, title, meaning, done } = actWords[act]
  const [reason, setReason] = useState('')
  const { isSending, answer, error, send } = useSending<ActAnswer>(onDone)
  const made = act === 'retry' ? answer?.job : undefined
  return (
    <Dialog title={title} onClose={onClose}>
      <form
        class="act-form"
        onSubmit={(event) => {
          event.preventDefault()
          if (reason.trim() !== '' && !isSending && !answer)
            send(() => api.post(`/jobs/${encodeURIComponent(job.id)}/${act}`, { reason: reason.trim() }))
        }}
      >
        <p class="code-text faint">
          <bdi>{job.id}</bdi> of <bdi>{job.owner}</bdi>
        </p>
        {!answer && <p>{meaning}</p>}
        {!answer && <ReasonField value={reason} onChange={setReason} isFirst />}
        <FailureNotice error={error} isAct />
        <p role="status" class={answer ? 'notice good' : 'unseen'}>
          {answer && done} {made && <a href={jobAddress(made.id)}>{made.id}</a>}
        </p>
        <div class="dialog-foot">
          <button type="button" class="button" onClick={onClose}>
            {answer ? 'Close' : 'Back'}
          </button>
          {!answer && (
            <button
              type="submit"
              class={act === 'delete' ? 'button danger' : 'button primary'}
              disabled={isSending || reason.trim() === ''}
            >
              {isSending && <span class="spinner" />}
              {name}
            </button>
          )}
        </div>
      </form>
    </Dialog>
  )
}
