import { type AnyModels, type Client, GenmountError, type Model } from '@genmount/client'
import { ownValue, type Store, useStore } from '@genmount/page-kit/page'
import { useRef, useState } from 'preact/hooks'
import type { JobBoard } from '../jobs/job-board.ts'
import { ModelPicker } from '../models/model-picker.tsx'
import { FailureNotice } from '../parts/failure-notice.tsx'
import { SnippetDialog } from '../snippets/snippet-dialog.tsx'
import { errorWords } from '../words/error-words.ts'
import { checkComparison, fieldsOfAll, wasSent, wrongFor } from './check-input.ts'
import { type Draft, modelOf } from './draft.ts'
import type { Field } from './field.ts'
import { fieldsOf } from './fields-of.ts'
import { FormFields } from './form-fields.tsx'
import { GenerateBar } from './generate-bar.tsx'
import { inputOf } from './input-of.ts'
import { makesVersions, requestsOf } from './requests-of.ts'
import { filesIn } from './values.ts'
import { useCost } from './use-cost.ts'

interface GenerateFormProps {
  readonly client: Client<AnyModels>
  readonly board: JobBoard
  readonly models: readonly Model[]
  readonly draft: Store<Draft>
  /** Called when the jobs have been created. */
  readonly onCreated: () => void
}

/** The form of a model, built from the model's own schema. */
export function GenerateForm({ client, board, models, draft, onCreated }: GenerateFormProps) {
  const now = useStore(draft)
  const jobsSoFar = useStore(board)
  const { values, others, count } = now
  const [isSending, setIsSending] = useState(false)
  const [isChecked, setIsChecked] = useState(false)
  const [isCode, setIsCode] = useState(false)
  const [error, setError] = useState<unknown>()
  const form = useRef<HTMLFormElement>(null)
  const model = modelOf(now, models)
  const isOther = ({ id, output_kind: kind }: Model) => others.includes(id) && kind === model?.output_kind
  const all = model ? [model, ...models.filter(isOther)] : []
  const priced = all.map((each) => ({
    model: each,
    input: inputOf(fieldsOf(each), values),
    count: makesVersions(each) ? count : 1,
  }))
  const cost = useCost(client, priced)
  if (!model) return <p class="notice">This service has no models yet.</p>

  const fields = fieldsOfAll(all)
  const isUploading = fields.some(({ name }) =>
    filesIn(ownValue(values, name)).some(
      ({ url, error: failed }) => url === undefined && failed === undefined,
    ),
  )
  const wrongName = error instanceof GenmountError ? /^[\w-]+/.exec(error.param ?? '')?.[0] : undefined

  function errorOf(field: Field): string | undefined {
    return field.name === wrongName
      ? errorWords(error).text
      : isChecked
        ? wrongFor(all, field.name, values)
        : undefined
  }

  async function submit() {
    if (isSending || isUploading) return
    setError(undefined)
    setIsChecked(true)
    const wrong = fields.find(({ name }) => wrongFor(all, name, values))
    if (wrong) {
      const frame = form.current?.querySelector<HTMLElement>(`[data-field="${wrong.name}"]`)
      frame?.querySelector<HTMLElement>('textarea, input, select, button')?.focus()
      return
    }
    setIsSending(true)
    try {
      const requests = requestsOf(now, all)
      await checkComparison(client, requests)
      await board.create(requests.map(({ model: { id }, input }) => ({ ...input, model: id })))
      setIsChecked(false)
      onCreated()
    } catch (cause) {
      setError(cause)
    }
    setIsSending(false)
  }

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
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void submit()
      }}
    >
      <div class="form-fields">
        <ModelPicker
          models={models}
          model={model}
          others={all.slice(1).map(({ id }) => id)}
          onModel={(id) => {
            draft.change({ model: id, others: others.filter((other) => other !== id) })
            history.replaceState(null, '', `#model=${encodeURIComponent(id)}`)
          }}
          onOthers={(ids) => draft.change({ others: ids })}
        />
        <FormFields
          client={client}
          board={board}
          fields={fields}
          values={values}
          onChange={(name, change) => {
            const { values: latest } = draft.state
            draft.change({ values: { ...latest, [name]: change(ownValue(latest, name)) } })
            if (name === wrongName) setError(undefined)
          }}
          errorOf={errorOf}
        />
      </div>
      <div class="form-foot">
        <FailureNotice error={error} />
        {error === undefined && wasSent(jobsSoFar, priced) && (
          <p class="help">You have sent exactly this before. It may come out the same.</p>
        )}
        {error instanceof GenmountError && error.status === undefined && (
          <p class="help">Look below Recent jobs, once the service answers, whether it has made the job.</p>
        )}
        <GenerateBar
          count={all.some(makesVersions) ? count : undefined}
          onCount={(number) => draft.change({ count: number })}
          jobs={priced.reduce((sum, each) => sum + each.count, 0)}
          cost={cost}
          isSending={isSending}
          isUploading={isUploading}
          onCode={() => setIsCode(true)}
        />
      </div>
      {isCode && (
        <SnippetDialog model={model.id} input={inputOf(fields, values)} onClose={() => setIsCode(false)} />
      )}
    </form>
  )
}
