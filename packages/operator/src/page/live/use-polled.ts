import { useEffect, useState } from 'preact/hooks'
import { isAway } from '../api/api-error.ts'
import { tickServiceClock } from './service-clock.ts'

/** What was read, and why the latest try has failed. */
export interface Polled<Value> {
  /** `undefined` until the first answer. It stays while later tries fail. */
  readonly value: Value | undefined
  readonly error: unknown
}

/** Polled values, and how to read them at once. */
export interface Polling<Value> extends Polled<Value> {
  reload(): void
}

/** Between two reads of what changes all the time. */
export const oftenMs = 5_000

/**
 * Reads something now, and again every `everyMs` milliseconds. It stops while nobody sees the page.
 * @param place a text for what is read: when it changes, the value before is gone
 */
export function usePolled<Value>(
  place: string,
  read: (signal: AbortSignal) => Promise<Value>,
  everyMs = oftenMs,
): Polling<Value> {
  const [polled, setPolled] = useState<Polled<Value> & { readonly place: string }>()
  const [count, setCount] = useState(0)
  useEffect(() => {
    const ending = new AbortController()
    let timer: ReturnType<typeof setTimeout> | undefined
    let isReading = false
    async function poll() {
      clearTimeout(timer)
      if (isReading) return
      isReading = true
      try {
        const value = await read(ending.signal)
        if (!ending.signal.aborted) {
          tickServiceClock()
          setPolled({ place, value, error: undefined })
        }
      } catch (error) {
        if (!ending.signal.aborted)
          setPolled((before) => {
            const value = before?.place === place ? before.value : undefined
            // The page says at its top that the server does not answer, and how old the value is.
            return { place, value, error: value !== undefined && isAway(error) ? undefined : error }
          })
      }
      isReading = false
      if (!ending.signal.aborted && document.visibilityState === 'visible') timer = setTimeout(poll, everyMs)
    }
    const look = () => (document.visibilityState === 'visible' ? void poll() : clearTimeout(timer))
    document.addEventListener('visibilitychange', look)
    void poll()
    return () => {
      ending.abort()
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', look)
    }
  }, [place, count, everyMs])
  const current = polled?.place === place ? polled : undefined
  return { value: current?.value, error: current?.error, reload: () => setCount((before) => before + 1) }
}
