import type { ComponentChildren } from 'preact'
import { FailureNotice } from './failure-notice.tsx'
import type { Sending } from './use-sending.ts'

interface ActFormProps {
  readonly sending: Pick<Sending<unknown>, 'answer' | 'error' | 'isSending'>
  /** Whether the fields have what is needed. */
  readonly isReady: boolean
  readonly onSend: () => void
  readonly onClose: () => void
  /** The words on the button that sends. */
  readonly label: string
  /** Whether the act destroys something. @default false */
  readonly isDanger?: boolean
  /** What came of the act, in words. */
  readonly outcome: ComponentChildren
  readonly children: ComponentChildren
}

/** The form of a dialog for an act, which is sent once. */
export function ActForm({
  sending: { answer, error, isSending },
  isReady,
  onSend,
  onClose,
  label,
  isDanger = false,
  outcome,
  children,
}: ActFormProps) {
  return (
    <form
      class="act-form"
      onSubmit={(event) => {
        event.preventDefault()
        if (isReady && !isSending && !answer) onSend()
      }}
    >
      {children}
      <FailureNotice error={error} isAct />
      <p role="status" class={answer ? 'notice good' : 'unseen'}>
        {answer ? outcome : undefined}
      </p>
      <div class="dialog-foot">
        <button type="button" class="button" onClick={onClose}>
          {answer ? 'Close' : 'Back'}
        </button>
        {!answer && (
          <button
            type="submit"
            class={isDanger ? 'button danger' : 'button primary'}
            disabled={isSending || !isReady}
          >
            {isSending && <span class="spinner" />}
            {label}
          </button>
        )}
      </div>
    </form>
  )
}
