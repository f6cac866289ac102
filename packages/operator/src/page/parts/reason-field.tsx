import { useId } from 'preact/hooks'

/** Asks why something is done. The audit log keeps the answer. */
export function ReasonField({ value, onChange }: { value: string; onChange: (reason: string) => void }) {
  const id = useId()
  return (
    <div class="field">
      <label class="label" for={id}>
        Reason
      </label>
      <textarea
        id={id}
        class="input"
        rows={2}
        maxLength={1000}
        required
        aria-describedby={`${id}-help`}
        value={value}
        onInput={({ currentTarget }) => onChange(currentTarget.value)}
      />
      <p id={`${id}-help`} class="help">
        The audit log keeps it with your name.
      </p>
    </div>
  )
}
