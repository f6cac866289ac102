import { Dialog, dollars } from '@genmount/page-kit/page'
import { useState } from 'preact/hooks'
import { ActForm } from '../parts/act-form.tsx'
import { ReasonField } from '../parts/reason-field.tsx'
import { useSending } from '../parts/use-sending.ts'
import { useSession } from '../session.ts'

interface GrantDialogProps {
  readonly owner: string
  /** Whether the owner's jobs must fit into what was granted. `undefined` while that is not known. */
  readonly hasBalance: boolean | undefined
  readonly onDone: () => void
  readonly onClose: () => void
}

/** Adds to the balance of an owner. Sent twice, the same form grants once: its grant has an id of its own. */
export function GrantDialog({ owner, hasBalance, onDone, onClose }: GrantDialogProps) {
  const { api } = useSession()
  const [id] = useState(() => crypto.randomUUID())
  const [amount, setAmount] = useState('')
  const [reason, setReason] = useState('')
  const sending = useSending<object>(onDone)
  const { answer, send } = sending
  const usd = usdIn(amount)
  const isRight = usd > 0
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
          {hasBalance === false
            ? 'No limit of this service goes by the balance of '
            : 'This adds to the balance of '}
          <bdi class="strong">{owner}</bdi>
          {hasBalance === false
            ? ', so a grant changes nothing now. Raise the budgets in the option of the plugin limits.'
            : '. Budgets of 24 hours and of months hold all the same.'}
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

/** The amount that somebody has typed, such as `12.5` or `12,50`. `NaN` for `1,000`, which is 1 to some and 1000 to others. */
function usdIn(text: string): number {
  return /^\d+(?:\.\d{1,6}|,\d{1,2})?$/.test(text.trim()) ? Number(text.replace(',', '.')) : Number.NaN
}
