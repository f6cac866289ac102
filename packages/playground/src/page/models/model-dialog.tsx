import type { Model } from '@genmount/client'
import { Dialog, Icon } from '@genmount/page-kit/page'
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { ModelRow } from './model-row.tsx'

interface ModelDialogProps {
  readonly title: string
  readonly models: readonly Model[]
  readonly chosen: string | undefined
  readonly onChoose: (model: Model) => void
  readonly onClose: () => void
}

/** A list of models with a search. The arrow keys go through the list while the search has the focus. */
export function ModelDialog({ title, models, chosen, onChoose, onClose }: ModelDialogProps) {
  const [text, setText] = useState('')
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  const matches = models.filter((model) => words.every((word) => searched(model).includes(word)))
  const [at, setAt] = useState(() =>
    Math.max(
      0,
      models.findIndex(({ id }) => id === chosen),
    ),
  )
  const listId = useId()
  const list = useRef<HTMLDivElement>(null)
  const current = Math.min(at, matches.length - 1)
  useLayoutEffect(() => {
    list.current?.children[current]?.scrollIntoView({ block: 'nearest' })
  }, [current])

  function onKeyDown(event: KeyboardEvent) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    const model = matches[current]
    if (step !== undefined) setAt(Math.min(matches.length - 1, Math.max(0, current + step)))
    else if (event.key === 'Enter' && model) onChoose(model)
    else return
    event.preventDefault()
  }

  return (
    <Dialog title={title} onClose={onClose}>
      <div class="search">
        <Icon name="search" />
        <input
          class="input"
          type="search"
          autofocus
          role="combobox"
          list={undefined}
          aria-label="Search models"
          aria-expanded="true"
          aria-controls={listId}
          aria-activedescendant={matches[current] && `${listId}-${current}`}
          placeholder="Search by name or kind"
          value={text}
          onInput={({ currentTarget }) => {
            setText(currentTarget.value)
            setAt(0)
          }}
          onKeyDown={onKeyDown}
        />
      </div>
      <div class="model-list" id={listId} ref={list} role="listbox" aria-label="Models">
        {matches.map((model, index) => (
          <div
            key={model.id}
            id={`${listId}-${index}`}
            class={index === current ? 'model-option active' : 'model-option'}
            role="option"
            aria-selected={model.id === chosen}
            onClick={() => onChoose(model)}
            onPointerMove={() => setAt(index)}
          >
            <ModelRow model={model} />
            {model.id === chosen && <Icon name="check" />}
          </div>
        ))}
      </div>
      {matches.length === 0 && <p class="faint model-none">No model matches the search.</p>}
    </Dialog>
  )
}

function searched({ id, output_kind: kind }: Model): string {
  return `${id} ${kind} ${kind === 'video' ? 'film' : 'picture'}`.toLowerCase()
}
