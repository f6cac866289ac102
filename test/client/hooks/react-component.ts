import { useGeneration } from '@genmount/client/react'
import { createElement, useEffect } from 'react'
import { type ComponentProps, textOf } from './hook-page.ts'

export function Component({ client, onShown, onStatus }: ComponentProps) {
  const generation = useGeneration(client)
  onShown(() => generation)
  useEffect(() => void onStatus(generation.status), [onStatus, generation.status])
  return createElement('p', undefined, textOf(generation))
}
