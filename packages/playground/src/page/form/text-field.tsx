import { useLayoutEffect, useRef } from 'preact/hooks'
import { FieldFrame } from './field-frame.tsx'
import { controlAttributes, type FieldProps } from './field-props.ts'

const examples: ReadonlyMap<string, string> = new Map(
  Object.entries({
    prompt: 'A lighthouse on a cliff at dawn, soft light, calm sea',
    negative_prompt: 'What the picture must not show',
  }),
)

/** A field for several lines of text or for JSON. It grows with its text. */
export function TextField(props: FieldProps) {
  const { field, value, onChange, error } = props
  const element = useRef<HTMLTextAreaElement>(null)
  const text = typeof value === 'string' ? value : ''
  useLayoutEffect(() => {
    const { current } = element
    if (!current || CSS.supports('field-sizing: content')) return
    current.style.height = 'auto'
    current.style.height = `${current.scrollHeight + 2}px`
  }, [text])
  const attributes = controlAttributes(props)

  return (
    <FieldFrame field={field} control={attributes.id} error={error}>
      <textarea
        {...attributes}
        ref={element}
        class={field.kind === 'json' ? 'input code-text' : 'input'}
        rows={field.name === 'prompt' ? 4 : 2}
        maxlength={field.maxLength}
        placeholder={field.kind === 'json' ? '{}' : examples.get(field.name)}
        spellcheck={field.kind !== 'json'}
        value={text}
        onInput={({ currentTarget }) => onChange(currentTarget.value || undefined)}
      />
    </FieldFrame>
  )
}

/** A field for one line of text, with suggestions if there are any. */
export function LineField(props: FieldProps) {
  const { field, value, onChange, error } = props
  const attributes = controlAttributes(props)
  const list = field.suggestions.length > 0 ? `${attributes.id}-list` : undefined
  return (
    <FieldFrame field={field} control={attributes.id} error={error}>
      <input
        {...attributes}
        class="input"
        type="text"
        autocomplete="off"
        maxlength={field.maxLength}
        list={list}
        placeholder={
          typeof field.fallback === 'string' ? field.fallback : field.isRequired ? '' : 'Automatic'
        }
        value={typeof value === 'string' ? value : ''}
        onInput={({ currentTarget }) => onChange(currentTarget.value || undefined)}
      />
      {list !== undefined && (
        <datalist id={list}>
          {field.suggestions.map((text) => (
            <option key={text} value={text} />
          ))}
        </datalist>
      )}
    </FieldFrame>
  )
}
