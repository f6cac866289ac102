import { type AnyModels, type Client, createClient, GenmountError, type Model } from '@genmount/client'
import { keptValue } from '@genmount/page-kit/page'
import { useContext, useEffect, useRef, useState } from 'preact/hooks'
import { watchedFetch } from '../parts/service-reach.ts'
import { SettingsContext } from '../settings-context.ts'

/** A key that the service accepts, and what the page has read with it. */
export interface Session {
  readonly client: Client<AnyModels>
  /** A client without retries, so that the page learns at once when the service can't be reached. It follows jobs. */
  readonly watcher: Client<AnyModels>
  readonly models: readonly Model[]
  /** Whether all visitors without a key of their own share this key. */
  readonly isShared: boolean
}

/** One try to open a session. Each try is an object of its own, even with the same key. */
interface Try {
  readonly key: string | undefined
  /** Whether the page asks the visitor for a key. */
  readonly isAsked: boolean
}

const keptKey = keptValue<string>('playground.key')

/**
 * Opens a session with the key that this tab has stored, with the public key, or with the key that the visitor types
 * in.
 */
export function useSession() {
  const { baseUrl, publicKey, canStartWithoutKey } = useContext(SettingsContext)
  const [attempt, setAttempt] = useState<Try>(() => {
    const key = keptKey.read() ?? publicKey
    return { key, isAsked: key === undefined && !canStartWithoutKey }
  })
  const [session, setSession] = useState<Session>()
  const [error, setError] = useState<unknown>()
  const { key, isAsked } = attempt
  /** The key of the latest session, to which a visitor who wanted to change it can return. */
  const latest = useRef<Pick<Try, 'key'>>(publicKey === undefined ? undefined : { key: publicKey })

  useEffect(() => {
    setSession(undefined)
    if (isAsked) return
    const ending = new AbortController()
    const { signal } = ending
    const options = { baseUrl, apiKey: key, fetch: watchedFetch }
    const client = createClient(options)
    client.models({ signal }).then(
      (models) => {
        if (signal.aborted) return
        const isShared = key !== undefined && key === publicKey
        if (!isShared) keptKey.write(key)
        latest.current = { key }
        const watcher = createClient({ ...options, maxRetries: 0 })
        setSession({ client, watcher, models, isShared })
      },
      (cause: unknown) => {
        if (signal.aborted) return
        const isUnknown = cause instanceof GenmountError && cause.status === 401
        // A visitor who is not signed in has not typed a key, so the page does not say that the key is wrong.
        if (key !== undefined || !isUnknown) setError(cause)
        if (!isUnknown) return
        if (latest.current?.key === key) latest.current = undefined
        ask()
      },
    )
    return () => ending.abort()
  }, [attempt])

  function ask() {
    keptKey.write(undefined)
    setAttempt({ key: undefined, isAsked: true })
  }

  function open(next: string | undefined) {
    setError(undefined)
    setAttempt({ key: next, isAsked: false })
  }

  return {
    session,
    error,
    isChecking: !isAsked && session === undefined && error === undefined,
    open,
    /** Tries the same key again. `undefined` while the page asks the visitor for a key. */
    retry: isAsked ? undefined : () => open(key),
    /** Returns to the session before. `undefined` if there was none. */
    back: latest.current && (() => open(latest.current?.key)),
    /** Asks for another key. After a reload, the page does not know this one any more. */
    leave() {
      setError(undefined)
      ask()
    },
  }
}
