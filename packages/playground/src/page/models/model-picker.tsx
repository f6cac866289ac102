import type { Model } from '@genmount/client'
import { Icon } from '@genmount/page-kit/page'
import { useState } from 'preact/hooks'
import { ModelDialog } from './model-dialog.tsx'
import { ModelRow } from './model-row.tsx'

interface ModelPickerProps {
  readonly models: readonly Model[]
  readonly model: Model
  /** The ids of the other models that get the same input, for a comparison. */
  readonly others: readonly string[]
  readonly onModel: (id: string) => void
  readonly onOthers: (ids: readonly string[]) => void
}

/** Chooses the model of the form, and the models to compare it with. */
export function ModelPicker({ models, model, others, onModel, onOthers }: ModelPickerProps) {
  const [open, setOpen] = useState<'model' | 'other'>()
  const comparable = models.filter(
    ({ id, output_kind: kind }) => kind === model.output_kind && id !== model.id && !others.includes(id),
  )
  return (
    <div class="field">
      <span class="label" id="label-model">
        Model
      </span>
      <button
        type="button"
        class="model-button"
        aria-haspopup="dialog"
        aria-describedby="label-model"
        onClick={() => setOpen('model')}
      >
        <ModelRow model={model} />
        <Icon name="down" />
      </button>
      <div class="chips">
        {others.map((id) => (
          <button
            key={id}
            type="button"
            class="chip"
            aria-label={`Do not compare with ${id}`}
            onClick={() => onOthers(others.filter((other) => other !== id))}
          >
            <span class="cut">{id}</span>
            <Icon name="stop" />
          </button>
        ))}
        {comparable.length > 0 && (
          <button type="button" class="chip quiet" aria-haspopup="dialog" onClick={() => setOpen('other')}>
            <Icon name="plus" /> Compare with another model
          </button>
        )}
      </div>
      {open !== undefined && (
        <ModelDialog
          title={open === 'model' ? 'Models' : 'Compare with'}
          models={open === 'model' ? models : comparable}
          chosen={open === 'model' ? model.id : undefined}
          onClose={() => setOpen(undefined)}
          onChoose={({ id }) => {
            setOpen(undefined)
            if (open === 'model') onModel(id)
            else onOthers([...others, id])
          }}
        />
      )}
    </div>
  )
}
