import { useGeneration } from '@genmount/client/solid'
import { createEffect } from 'solid-js'
import { type ComponentProps, textOf } from './hook-page.ts'

/** @returns what reads the text of the component */
export function componentText({ client, onShown, onStatus }: ComponentProps): () => string {
  const { status, job, progress, error, ...actions } = useGeneration(client)
  const state = () => ({ status: status(), job: job(), progress: progress(), error: error() })
  onShown(() => ({ ...actions, ...state() }))
  createEffect(() => onStatus(status()))
  return () => textOf(state())
}
