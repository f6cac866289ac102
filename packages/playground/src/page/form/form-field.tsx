import { ChoiceField } from './choice-field.tsx'
import type { FieldProps } from './field-props.ts'
import { NumberField, RangeField } from './number-field.tsx'
import { SwitchField } from './switch-field.tsx'
import { LineField, TextField } from './text-field.tsx'

/** Renders a field by its kind. Fields for files are rendered elsewhere. */
export function FormField(props: FieldProps) {
  switch (props.field.kind) {
    case 'choice':
      return <ChoiceField {...props} />
    case 'switch':
      return <SwitchField {...props} />
    case 'range':
      return <RangeField {...props} />
    case 'number':
    case 'seed':
      return <NumberField {...props} />
    case 'line':
      return <LineField {...props} />
    default:
      return <TextField {...props} />
  }
}
