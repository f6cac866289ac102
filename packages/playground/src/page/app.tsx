import { Brand, Icon, KeyForm, ThemeButton } from '@genmount/page-kit/page'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { useSession } from './key/use-session.ts'
import { FailureNotice } from './parts/failure-notice.tsx'
import { OfflineNotice } from './parts/offline-notice.tsx'
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
        <Brand page="playground" />
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
          <KeyForm
            title="Playground"
            intro="Try the models of this service: pictures and films, from words and from other pictures."
            label="API key"
            isRefused={error !== undefined}
            notice={<FailureNotice error={error} onRetry={retry} />}
            isChecking={isChecking}
            onKey={onKey}
            onBack={back}
          />
        </main>
      )}
    </>
  )
}
