import { Brand, keptValue, KeyForm, ThemeButton } from '@genmount/page-kit/page'
import { useEffect, useState } from 'preact/hooks'
import { isRefusal } from './api/api-error.ts'
import { type Api, createApi } from './api/api.ts'
import type { Overview } from './api/wire.ts'
import { Desk } from './desk.tsx'
import { setServiceClock } from './live/service-clock.ts'
import { FailureNotice } from './parts/failure-notice.tsx'

const keptKey = keptValue<string>('operator.key')

/** The whole page: it asks for the key of an operator, and then shows the service. */
export function App({ baseUrl }: { baseUrl: string }) {
  const [attempt, setAttempt] = useState<{ readonly key: string | undefined }>(() => ({
    key: keptKey.read(),
  }))
  const [opened, setOpened] = useState<{ readonly api: Api; readonly first: Overview }>()
  const [error, setError] = useState<unknown>()
  const { key } = attempt

  function leave(cause?: unknown) {
    keptKey.write(undefined)
    setOpened(undefined)
    setError(cause)
    setAttempt({ key: undefined })
  }

  useEffect(() => {
    if (key === undefined) return
    const ending = new AbortController()
    const api = createApi(baseUrl, key)
    api.get<Overview>('', {}, ending.signal).then(
      (first) => {
        keptKey.write(key)
        setServiceClock(first.as_of)
        setOpened({ api, first })
      },
      (cause: unknown) => {
        if (ending.signal.aborted) return
        if (isRefusal(cause)) leave(cause)
        else setError(cause)
      },
    )
    return () => ending.abort()
  }, [attempt])

  function open(next: string) {
    setError(undefined)
    setAttempt({ key: next })
  }

  if (opened) return <Desk {...opened} onLeave={leave} />
  const isChecking = key !== undefined && error === undefined
  return (
    <>
      <header class="top">
        <Brand page="operator" />
        <ThemeButton />
      </header>
      <main class="door">
        <KeyForm
          title="Operator"
          intro="See what runs and why it waits, what has failed and what it cost, and steer the jobs of all owners."
          label="Operator's key"
          isRefused={error !== undefined}
          notice={<FailureNotice error={error} onRetry={key === undefined ? undefined : () => open(key)} />}
          isChecking={isChecking}
          onKey={open}
        />
      </main>
    </>
  )
}
