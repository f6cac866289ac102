import { type AnyModels, type Client, GenmountError, type Model } from '@genmount/client'
import { useRef, useState } from 'preact/hooks'
import type { JobBoard } from '../jobs/job-board.ts'
import { ModelPicker } from '../models/model-picker.tsx'
import { type Store, useStore } from '../parts/store.ts'
import { FilesField } from '../pictures/files-field.tsx'
import { errorWords } from '../words/error-words.ts'
import { costOf } from './cost-of.ts'
import { type Draft, modelOf } from './draft.ts'
import type { Field } from './field.ts'
import { fieldsOf } from './fields-of.ts'
import { FormField } from './form-field.tsx'
import { GenerateBar } from './generate-bar.tsx'
import { requestsOf } from './requests-of.ts'
import { filesOf, wrongValue } from './values.ts'

interface GenerateFormProps {
  readonly client: Client<AnyModels>
  readonly board: JobBoard
  readonly models: readonly Model[]
  readonly draft: Store<Draft>
  /** Called when the jobs are there. */
  readonly onCreated: () => void
}

/** The form of a model: what it takes, as it says itself. */
export function GenerateForm({ client, board, models, draft, onCreated }: GenerateFormProps) {
  const now = useStore(draft)
  const { values, others, count } = now
  const [isSending, setIsSending] = useState(false)
  const [error, setError] = useState<unknown>()
  const [isChecked, setIsChecked] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  const model = modelOf(now, models)
  if (!model) return <p class="notice">This service has no models yet.</p>

  const fields = fieldsOf(model)
  const all = [
    model,
    ...models.filter(({ id, output_kind: kind }) => others.includes(id) && kind === model.output_kind),
  ]
  const wrong = (field: Field) => wrongValue(field, values)
  const isUploading = fields.some(({ name }) =>
    filesOf(values, name).some(({ url, error: failed }) => url === undefined && failed === undefined),
  )
  const requests = fields.some(wrong) ? [] : requestsOf(now, all)
  const costs = requests.map((request) => costOf(request.model, request.input))
  const cost = costs.includes(undefined) ? undefined : costs.reduce<number>((sum, one) => sum + (one ?? 0), 0)
  const failure = error === undefined ? undefined : errorWords(error)
  const wrongName = error instanceof GenmountError ? /^[\w-]+/.exec(error.param ?? '')?.[0] : undefined

  function set(name: string, value: unknown) {
    draft.change({ values: { ...draft.state.values, [name]: value } })
  }

  async function submit() {
    setError(undefined)
    setIsChecked(true)
    const first = fields.find(wrong)
    if (first) {
      const frame = form.current?.querySelector<HTMLElement>(`[data-field="${first.name}"]`)
      frame?.querySelector<HTMLElement>('textarea, input, select, button')?.focus()
      return
    }
    setIsSending(true)
    try {
      await board.create(requests.map(({ model: { id }, input }) => ({ ...input, model: id })))
      setIsChecked(false)
      onCreated()
    } catch (cause) {
      setError(cause)
    }
    setIsSending(false)
  }

  const pasted = fields.find(
    ({ kind, media, name }) => kind === 'files' && media === 'image' && name !== 'mask',
  )
  const shown = (field: Field) => {
    const said = field.name === wrongName ? failure?.text : undefined
    const words =
      said ?? (isChecked ? wrong(field) : filesOf(values, field.name).find((file) => file.error)?.error)
    return (
      <div key={field.name} data-field={field.name}>
        {field.kind === 'files' ? (
          <FilesField
            field={field}
            client={client}
            files={filesOf(values, field.name)}
            onChange={(change) => set(field.name, change(filesOf(draft.state.values, field.name)))}
            error={words}
            takesPaste={field === pasted}
            canvas={filesOf(values, 'image')[0]}
          />
        ) : (
          <FormField
            field={field}
            value={values[field.name]}
            onChange={(value) => set(field.name, value)}
            error={words}
          />
        )}
      </div>
    )
  }

  const rare = fields.filter(({ isRare }) => isRare)
  return (
    <form
      ref={form}
      class="form"
      aria-label="What to make"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        void submit()
      }}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && !isSending && !isUploading)
          void submit()
      }}
    >
      <div class="form-fields">
        <ModelPicker
          models={models}
          model={model}
          others={all.slice(1).map(({ id }) => id)}
          onModel={(id) => draft.change({ model: id, others: others.filter((other) => other !== id) })}
          onOthers={(ids) => draft.change({ others: ids })}
        />
        {fields.filter(({ isRare }) => !isRare).map(shown)}
        {rare.length > 0 && (
          <details class="more" open={rare.some(({ name }) => name === wrongName)}>
            <summary>More settings</summary>
            <div class="form-fields inner">{rare.map(shown)}</div>
          </details>
        )}
      </div>
      <div class="form-foot">
        {failure && (
          <p class="notice bad" role="alert">
            <strong>{failure.title}.</strong> {failure.text}
          </p>
        )}
        <GenerateBar
          count={count}
          onCount={(number) => draft.change({ count: number })}
          jobs={requests.length || all.length * count}
          cost={cost}
          isSending={isSending}
          isUploading={isUploading}
        />
      </div>
    </form>
  )
}
