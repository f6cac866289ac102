import type { Choice, Field } from './field.ts'
import { descriptionId, FieldFrame, labelId } from './field-frame.tsx'
import { controlAttributes, type FieldProps } from './field-props.ts'
import { RatioShape } from './ratio-shape.tsx'

/** The estimated width of the room for buttons in one row, in pixels. */
const room = 330
/** Up to this many aspect ratios are shown as shapes. More are shown as a drop-down list. */
const mostShapes = 16

export function ChoiceField(props: FieldProps) {
  const { name, choices } = props.field
  const width = ['Default', ...choices].reduce<number>(
    (sum, choice) => sum + 22 + String(choice).length * 7,
    0,
  )
  const areButtons = name === 'aspect_ratio' ? choices.length <= mostShapes : width <= room
  return areButtons ? <Buttons {...props} /> : <List {...props} />
}

/** The label for "no choice". Some models have a choice whose name is the usual label. */
function noChoice({ choices }: Field, name: string): string {
  return choices.includes('auto') ? 'Default' : name
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
        {choice === undefined ? noChoice(field, 'Auto') : String(choice)}
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
        {canBeNone && <option value="">{noChoice(field, 'Automatic')}</option>}
        {field.choices.map((choice) => (
          <option key={String(choice)} value={String(choice)}>
            {String(choice)}
          </option>
        ))}
      </select>
    </FieldFrame>
  )
}
