import { useState } from 'preact/hooks'

/** The state of a form that is sent once. */
export interface Sending<Answer> {
  readonly isSending: boolean
  readonly answer: Answer | undefined
  readonly error: unknown
  send(run: () => Promise<Answer>): void
}

/** @param onDone called after each try, also after one that has failed: the state may have changed */
export function useSending<Answer>(onDone: () => void = () => {}): Sending<Answer> {
  const [isSending, setIsSending] = useState(false)
  const [answer, setAnswer] = useState<Answer>()
  const [error, setError] = useState<unknown>()
  return {
    isSending,
    answer,
    error,
    send(run) {
      setIsSending(true)
      setError(undefined)
      setAnswer(undefined)
      run()
        .then(setAnswer, setError)
        .finally(() => {
          setIsSending(false)
          onDone()
        })
    },
  }
}
