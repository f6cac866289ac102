import { useTyped } from './use-typed.ts'

interface OwnerFormProps {
  readonly label: string
  readonly placeholder?: string
  /** The owner whom the address names. @default none */
  readonly owner?: string | undefined
  /** The words on its button. @default it has none, and is sent when the field is left */
  readonly button?: string
  readonly onOwner: (owner: string) => void
}

/** A field for the name of an owner. */
export function OwnerForm({ label, placeholder = 'All owners', owner, button, onOwner }: OwnerFormProps) {
  const [text, setText] = useTyped(owner)
  const send = () => onOwner(text.trim())
  return (
    <form
      class={button && 'filters'}
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
    >
      <input
        class="input"
        aria-label={label}
        placeholder={placeholder}
        autocomplete="off"
        spellcheck={false}
        value={text}
        onInput={({ currentTarget }) => setText(currentTarget.value)}
        onChange={button === undefined ? send : undefined}
      />
      {button && (
        <button type="submit" class="button">
          {button}
        </button>
      )}
    </form>
  )
}
