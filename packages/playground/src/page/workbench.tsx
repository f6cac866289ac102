import { type Job, jobUrl } from '@genmount/client'
import { ownValue, useStore } from '@genmount/page-kit/page'
import { useEffect, useMemo, useRef } from 'preact/hooks'
import { createDraft, modelOf } from './form/draft.ts'
import type { Field } from './form/field.ts'
import { fieldsOf } from './form/fields-of.ts'
import { GenerateForm } from './form/generate-form.tsx'
import { valuesOf } from './form/input-of.ts'
import { type ChosenFile, filesIn, withFile, withFileAt } from './form/values.ts'
import { Gallery } from './gallery/gallery.tsx'
import { createJobBoard } from './jobs/job-board.ts'
import type { Output } from './jobs/output.ts'
import type { Session } from './key/use-session.ts'
import { serviceReach } from './parts/service-reach.ts'
import { chooseFile } from './pictures/choose-file.ts'
import { takesReferences } from './pictures/takes-references.ts'
import { Announcer } from './stage/announcer.tsx'
import { Stage } from './stage/stage.tsx'

/** The page for a valid key: the form, the jobs on the stage, and all recent jobs. */
export function Workbench({ client, watcher, models, isShared }: Session) {
  const board = useMemo(() => createJobBoard(client, watcher), [client])
  const draft = useMemo(createDraft, [client])
  const now = useStore(draft)
  const results = useRef<HTMLDivElement>(null)
  const maker = useRef<HTMLDivElement>(null)

  useEffect(() => {
    const read = () => {
      if (document.visibilityState === 'visible') void board.read()
    }
    read()
    // The same key may have made jobs elsewhere in the meantime.
    document.addEventListener('visibilitychange', read)
    // An answer that was lost may have been that of a create.
    const end = serviceReach.subscribe(() => void (serviceReach.state.isLost || board.read()))
    return () => {
      end()
      document.removeEventListener('visibilitychange', read)
      board.close()
    }
  }, [board])

  // An address such as `#job=gen_1` or `#model=flux` shows this job, or begins with this model.
  useEffect(() => {
    const go = () => {
      const place = new URLSearchParams(location.hash.slice(1))
      const [model, job] = [place.get('model'), place.get('job')]
      if (model !== null) draft.change({ model, others: [] })
      if (job !== null) void board.open(job)
    }
    go()
    addEventListener('hashchange', go)
    return () => removeEventListener('hashchange', go)
  }, [board, draft])

  /** On a narrow screen the form is above the results. */
  const goTo = (place: typeof results) =>
    place.current?.scrollIntoView({ block: 'start', behavior: 'smooth' })

  const fieldFor = (media: Job['output_kind'], id: string): Field | undefined => {
    const model = models.find((one) => one.id === id)
    return (
      model &&
      fieldsOf(model).find(
        (field) => field.kind === 'files' && field.media === media && field.name !== 'mask',
      )
    )
  }

  /**
   * Puts an output into the form: for the form's own model if it takes such files, otherwise for the first model that
   * does.
   */
  function onUse(job: Job) {
    const kind = job.output_kind
    const current = modelOf(now, models)?.id ?? ''
    const id = [current, ...models.map((model) => model.id)].find((one) => fieldFor(kind, one))
    const field = id === undefined ? undefined : fieldFor(kind, id)
    if (id === undefined || !field) return undefined
    const change = (changed: (files: readonly ChosenFile[]) => readonly ChosenFile[]) => {
      const { values } = draft.state
      draft.change({ values: { ...values, [field.name]: changed(filesIn(ownValue(values, field.name))) } })
    }
    return async (n: number, output: Output | undefined) => {
      const isReference = await takesReferences(client)
      if (!isReference && !output?.blob)
        throw new Error(
          output
            ? 'The file is too large for this page, and this service reads no outputs by itself.'
            : 'This service does not wait for the results of other jobs. Use the result once it is there.',
        )
      draft.change({ model: id })
      if (isReference) change((files) => withFileAt(files, jobUrl(job, n), field.maxFiles))
      else if (output?.blob)
        chooseFile(client, output.blob, output.fileName, (file) =>
          change((files) => withFile(files, file, field.maxFiles)),
        )
      goTo(maker)
    }
  }

  function onReuse({ model, input, id }: Job) {
    const chosenModel = models.find((one) => one.id === model)
    if (!chosenModel) return
    draft.change({
      model,
      others: [],
      count: 1,
      values: valuesOf(fieldsOf(chosenModel), ownValue(board.state.sent, id) ?? input),
    })
    goTo(maker)
  }

  function onPrompt(prompt: string) {
    draft.change({ values: { ...draft.state.values, prompt } })
    goTo(maker)
    document.querySelector<HTMLElement>('#field-prompt')?.focus()
  }

  return (
    <main class="bench">
      <div class="maker" ref={maker}>
        <GenerateForm
          client={client}
          board={board}
          models={models}
          draft={draft}
          onCreated={() => goTo(results)}
        />
      </div>
      <div class="results" ref={results}>
        <Stage
          client={client}
          board={board}
          models={models}
          onUse={onUse}
          onReuse={onReuse}
          onPrompt={onPrompt}
        />
        <Gallery client={client} board={board} isShared={isShared} onShown={() => goTo(results)} />
      </div>
      <Announcer board={board} />
    </main>
  )
}
