import { useEffect, useState } from 'preact/hooks'

/**
 * What is typed into a field whose value stands in the address. When the address changes, the field does too, and keeps the
 * focus.
 */
export function useTyped(value = ''): [text: string, setText: (text: string) => void] {
  const [text, setText] = useState(value)
  useEffect(() => setText(value), [value])
  return [text, setText]
}
