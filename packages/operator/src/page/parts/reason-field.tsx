import { useId } from 'preact/hooks'

interface ReasonFieldProps {
  readonly value: string
  readonly onChange: (reason: string) => void
  /** Whether a dialog begins with this field. */
  readonly isFirst?: boolean
}

/** Asks why something is done. The audit log keeps the answer. */
export function ReasonField({ value, onChange, isFirst = false }: ReasonFieldProps) {
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
        autofocus={isFirst}
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
