import { useLayoutEffect, useRef } from 'preact/hooks'
import { KeyForm } from './key/key-form.tsx'
import { useSession } from './key/use-session.ts'
import { Icon } from './parts/icon.tsx'
import { OfflineNotice } from './parts/offline-notice.tsx'
import { ThemeButton } from './parts/theme-button.tsx'
import { Workbench } from './workbench.tsx'

/** The whole page: it asks for a key, and then shows the models and jobs of this key. */
export function App() {
  const { session, error, isChecking, open, retry, back, leave } = useSession()
  const isTyped = useRef(false)
  // A visitor who has typed a key can go on typing, in the prompt. The field for the key is no longer in the page.
  useLayoutEffect(() => {
    if (session && isTyped.current) document.querySelector<HTMLElement>('#field-prompt')?.focus()
  }, [session])

  function onKey(key: string) {
    isTyped.current = true
    open(key)
  }

  return (
    <>
      <header class="top">
        <span class="brand">
          <span class="brand-mark">
            <Icon name="sparkle" />
          </span>
          genmount <span class="faint">playground</span>
        </span>
        <span class="top-tools">
          <ThemeButton />
          {session && (
            <button type="button" class="button plain" onClick={leave}>
              <Icon name="key" />{' '}
              <span class="wide-only">
                {session.isShared ? 'Shared demo key: use your own' : 'Change key'}
              </span>
            </button>
          )}
        </span>
      </header>
      <OfflineNotice />
      {session ? (
        <Workbench {...session} />
      ) : (
        <main class="door">
          <KeyForm error={error} isChecking={isChecking} onKey={onKey} onRetry={retry} onBack={back} />
        </main>
      )}
    </>
  )
}
