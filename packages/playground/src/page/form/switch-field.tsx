import { FieldWords } from './field-frame.tsx'
import { controlAttributes, type FieldProps } from './field-props.ts'

/** Yes or no. */
export function SwitchField(props: FieldProps) {
  const { field, value, onChange, error } = props
  const { 'aria-required': _, ...attributes } = controlAttributes(props)
  return (
    <div class="field">
      <label class="switch">
        <span class="label">{field.label}</span>
        <input
          {...attributes}
          type="checkbox"
          role="switch"
          checked={(value ?? field.fallback) === true}
          onChange={({ currentTarget }) => onChange(currentTarget.checked)}
        />
      </label>
      <FieldWords field={field} error={error} />
    </div>
  )
}
