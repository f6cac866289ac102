import { onDestroy } from 'svelte'
import { createSubscriber } from 'svelte/reactivity'
import type { Client } from '../client/client.ts'
import type { GenerationActions, GenerationState } from '../generation/generation.ts'
import { generationStore } from '../generation/generation-store.ts'

/**
 * The state of a component's latest generation, and the functions to start and end generations. The fields of the state
 * are reactive as runes are: read them from this object, because a destructured field does not change.
 */
export interface Generation<Models extends object> extends GenerationState, GenerationActions<Models> {}

/**
 * Runs generations for a component. When the component is destroyed, the client stops following the job, and the job
 * continues.
 * @param client a client that was created outside of the component
 * @throws Error of Svelte (`lifecycle_outside_component`) when it is not called while a component is initialised
 * @example
 * const generation = useGeneration(client)
 */
export function useGeneration<Models extends object>(client: Client<Models>): Generation<Models> {
  const { actions, state, subscribe, stop } = generationStore(() => client)
  onDestroy(stop)

  /** Whoever reads the field in an effect or a template runs again when this field changes, and not when others do. */
  function readerOf<Field extends keyof GenerationState>(field: Field): () => GenerationState[Field] {
    const track = createSubscriber((update) =>
      subscribe((now, before) => now[field] !== before[field] && update()),
    )
    return () => {
      track()
      return state()[field]
    }
  }

  const read = {
    status: readerOf('status'),
    job: readerOf('job'),
    progress: readerOf('progress'),
    error: readerOf('error'),
  }
  return {
    ...actions,
    get status() {
      return read.status()
    },
    get job() {
      return read.job()
    },
    get progress() {
      return read.progress()
    },
    get error() {
      return read.error()
    },
  }
}
