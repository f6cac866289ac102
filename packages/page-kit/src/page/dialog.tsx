import type { ComponentChildren } from 'preact'
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { Icon } from './icon.tsx'

interface DialogProps {
  readonly title: string
  /** Called when the visitor closes the dialog by its button, by Escape, or by a click beside it. */
  readonly onClose: () => void
  /** Controls beside the title. */
  readonly tools?: ComponentChildren
  readonly size?: 'small' | 'wide' | 'full'
  readonly children: ComponentChildren
}

/** A modal dialog. It keeps the focus inside while it is open, and returns the focus when it closes. */
export function Dialog({ title, onClose, tools, size = 'small', children }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null)
  const titleId = useId()
  const [opener] = useState(() => document.activeElement)
  // A layout effect, so that the dialog has the focus before the next key is pressed.
  useLayoutEffect(() => {
    const { current: dialog } = element
    dialog?.showModal()
    return () => {
      dialog?.close()
      if (opener instanceof HTMLElement) opener.focus()
    }
  }, [])

  return (
    <dialog
      ref={element}
      class={`dialog dialog-${size}`}
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      onPointerDown={({ target }) => {
        if (target === element.current) onClose()
      }}
    >
      <div class="dialog-content">
        <header class="dialog-head">
          <h2 id={titleId}>{title}</h2>
          {tools}
          <button type="button" class="button plain square" onClick={onClose}>
            <Icon name="stop" />
            <span class="unseen">Close</span>
          </button>
        </header>
        {children}
      </div>
    </dialog>
  )
}
