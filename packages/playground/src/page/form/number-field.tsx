import { Icon } from '@genmount/page-kit/page'
import type { Field } from './field.ts'
import { FieldFrame } from './field-frame.tsx'
import { controlAttributes, type FieldProps } from './field-props.ts'

/** A number between two bounds, as a slider. Until the visitor moves it, the model chooses the value. */
export function RangeField(props: FieldProps) {
  const { field, value, onChange, error } = props
  const attributes = controlAttributes(props)
  const set = typeof value === 'number' ? value : undefined
  const current = set ?? (typeof field.fallback === 'number' ? field.fallback : undefined)
  const { min = 0, max = 100 } = field
  return (
    <FieldFrame
      field={field}
      control={attributes.id}
      error={error}
      current={
        <span class="field-value">
          {set !== undefined && !field.isRequired && (
            <button type="button" class="link" onClick={() => onChange(undefined)}>
              Reset<span class="unseen"> {field.label}</span>
            </button>
          )}
          <output for={attributes.id}>{current ?? 'Auto'}</output>
        </span>
      }
    >
      <input
        {...attributes}
        aria-required={undefined}
        class={current === undefined ? 'slider unset' : 'slider'}
        type="range"
        min={min}
        max={max}
        step={field.step ?? 'any'}
        value={current ?? min}
        aria-valuetext={current === undefined ? 'automatic' : String(current)}
        style={{ '--share': `${(((current ?? min) - min) / (max - min || 1)) * 100}%` }}
        onInput={({ currentTarget }) => onChange(currentTarget.valueAsNumber)}
      />
    </FieldFrame>
  )
}

/** A number without narrow bounds. A seed also has a button that picks a random one. */
export function NumberField(props: FieldProps) {
  const { field, value, onChange, error } = props
  const attributes = controlAttributes(props)
  const isSeed = field.kind === 'seed'
  return (
    <FieldFrame field={field} control={attributes.id} error={error}>
      <div class="joined">
        <input
          {...attributes}
          class="input"
          type="number"
          inputMode="decimal"
          min={field.min}
          max={field.max}
          step={field.step ?? 'any'}
          placeholder={isSeed ? 'Automatic' : field.isRequired ? '' : String(field.fallback ?? 'Automatic')}
          value={typeof value === 'number' ? value : ''}
          onInput={({ currentTarget: { valueAsNumber } }) =>
            onChange(Number.isNaN(valueAsNumber) ? undefined : valueAsNumber)
          }
        />
        {isSeed && (
          <button type="button" class="button square" onClick={() => onChange(randomSeed(field))}>
            <Icon name="dice" />
            <span class="unseen">Random seed</span>
          </button>
        )}
      </div>
    </FieldFrame>
  )
}

/** A random seed that the model takes: one of its first million, so that people can read it out. */
export function randomSeed({ min = 0, max = Infinity }: Pick<Field, 'min' | 'max'>): number {
  return min + Math.floor(Math.random() * Math.min(max - min + 1, 1_000_000))
}
