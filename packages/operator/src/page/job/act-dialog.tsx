import { Dialog } from '@genmount/page-kit/page'
import { useState } from 'preact/hooks'
import { jobAddress } from '../address.ts'
import type { Act, ActAnswer, OperatorJob } from '../api/wire.ts'
import { ActForm } from '../parts/act-form.tsx'
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
  const sending = useSending<ActAnswer>(onDone)
  const { answer, send } = sending
  const made = act === 'retry' ? answer?.job : undefined
  return (
    <Dialog title={title} onClose={onClose}>
      <ActForm
        sending={sending}
        isReady={reason.trim() !== ''}
        onSend={() =>
          send(() => api.post(`/jobs/${encodeURIComponent(job.id)}/${act}`, { reason: reason.trim() }))
        }
        onClose={onClose}
        label={name}
        isDanger={act === 'delete'}
        outcome={
          <>
            {done} {made && <a href={jobAddress(made.id)}>{made.id}</a>}
          </>
        }
      >
        <p class="code-text faint">
          <bdi>{job.id}</bdi> of <bdi>{job.owner}</bdi>
        </p>
        {!answer && <p>{meaning}</p>}
        {!answer && <ReasonField value={reason} onChange={setReason} isFirst />}
      </ActForm>
    </Dialog>
  )
}
