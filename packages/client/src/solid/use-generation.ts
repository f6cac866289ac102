import { type Accessor, createMemo, createSignal, onCleanup } from 'solid-js'
import type { Client } from '../client/client.ts'
import type { GenerationActions, GenerationState } from '../generation/generation.ts'
import { generationStore } from '../generation/generation-store.ts'

/**
 * The state of a component's latest generation as signals, which a component can destructure, and the functions to start
 * and end generations.
 */
export type Generation<Models extends object> = GenerationActions<Models> & {
  readonly [Field in keyof GenerationState]: Accessor<GenerationState[Field]>
}

/**
 * Runs generations for a component. When the component is removed, the client stops following the job, and the job
 * continues.
 * @param client a client that was created outside of the component
 * @example
 * const { generate, job, progress, status } = useGeneration(client)
 */
export function useGeneration<Models extends object>(client: Client<Models>): Generation<Models> {
  const { actions, state, subscribe, stop } = generationStore(() => client)
  const [latest, setLatest] = createSignal(state())
  subscribe((now) => setLatest(now))
  onCleanup(stop)
  return {
    ...actions,
    status: createMemo(() => latest().status),
    job: createMemo(() => latest().job),
    progress: createMemo(() => latest().progress),
    error: createMemo(() => latest().error),
  }
}
