import { Dialog, dollars } from '@genmount/page-kit/page'
import { useState } from 'preact/hooks'
import { ActForm } from '../parts/act-form.tsx'
import { ReasonField } from '../parts/reason-field.tsx'
import { useSending } from '../parts/use-sending.ts'
import { useSession } from '../session.ts'

interface GrantDialogProps {
  readonly owner: string
  readonly onDone: () => void
  readonly onClose: () => void
}

/** Grants an owner more than the budget. Sent twice, the same form grants once: its grant has an id of its own. */
export function GrantDialog({ owner, onDone, onClose }: GrantDialogProps) {
  const { api } = useSession()
  const [id] = useState(() => crypto.randomUUID())
  const [amount, setAmount] = useState('')
  const [reason, setReason] = useState('')
  const sending = useSending<object>(onDone)
  const { answer, send } = sending
  const usd = Number(amount.replace(',', '.'))
  const isRight = amount.trim() !== '' && usd > 0 && Number.isFinite(usd)
  return (
    <Dialog title="Grant more" onClose={onClose}>
      <ActForm
        sending={sending}
        isReady={isRight && reason.trim() !== ''}
        onSend={() => send(() => api.post('/grants', { owner, usd, reason: reason.trim(), id }))}
        onClose={onClose}
        label={isRight ? `Grant ${dollars(usd)}` : 'Grant'}
        outcome={`${dollars(usd)} were granted.`}
      >
        <p>
          The owner <bdi class="strong">{owner}</bdi> may spend this much beyond the budget.
        </p>
        {!answer && (
          <>
            <div class="field">
              <label class="label" for="grant-amount">
                Amount in US dollars
              </label>
              <input
                id="grant-amount"
                class="input"
                inputMode="decimal"
                autocomplete="off"
                required
                autofocus
                aria-invalid={amount.trim() !== '' && !isRight}
                value={amount}
                onInput={({ currentTarget }) => setAmount(currentTarget.value)}
              />
            </div>
            <ReasonField value={reason} onChange={setReason} />
          </>
        )}
      </ActForm>
    </Dialog>
  )
}
