import type { Choice } from './field.ts'
import { descriptionId, FieldFrame, labelId } from './field-frame.tsx'
import { controlAttributes, type FieldProps } from './field-props.ts'
import { RatioShape } from './ratio-shape.tsx'

/** As many short choices are shown side by side. More are a list that opens. */
const mostSideBySide = 7

export function ChoiceField(props: FieldProps) {
  const { choices } = props.field
  const letters = choices.reduce<number>((sum, choice) => sum + String(choice).length, 0)
  return choices.length <= mostSideBySide && letters <= 34 ? <Buttons {...props} /> : <List {...props} />
}

function Buttons({ field, value, onChange, error }: FieldProps) {
  const chosen = value ?? field.fallback
  const canBeNone = !field.isRequired && field.fallback === undefined
  const option = (choice: Choice | undefined) => (
    <label key={String(choice)} class="segment">
      <input
        type="radio"
        name={`field-${field.name}`}
        checked={chosen === choice}
        onChange={() => onChange(choice)}
      />
      <span>
        {field.name === 'aspect_ratio' && choice !== undefined && <RatioShape ratio={String(choice)} />}
        {choice === undefined ? 'Auto' : String(choice)}
      </span>
    </label>
  )
  return (
    <FieldFrame field={field} error={error}>
      <div
        class={field.name === 'aspect_ratio' ? 'segments shapes' : 'segments'}
        role="radiogroup"
        aria-labelledby={labelId(field)}
        aria-describedby={error === undefined && field.help === undefined ? undefined : descriptionId(field)}
      >
        {canBeNone && option(undefined)}
        {field.choices.map(option)}
      </div>
    </FieldFrame>
  )
}

function List(props: FieldProps) {
  const { field, value, onChange, error } = props
  const attributes = controlAttributes(props)
  const canBeNone = !field.isRequired && field.fallback === undefined
  return (
    <FieldFrame field={field} control={attributes.id} error={error}>
      <select
        {...attributes}
        class="input"
        value={String(value ?? field.fallback ?? '')}
        onChange={({ currentTarget }) =>
          onChange(field.choices.find((choice) => String(choice) === currentTarget.value))
        }
      >
        {canBeNone && <option value="">Automatic</option>}
        {field.choices.map((choice) => (
          <option key={String(choice)} value={String(choice)}>
            {String(choice)}
          </option>
        ))}
      </select>
    </FieldFrame>
  )
}
