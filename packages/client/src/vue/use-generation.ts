import { computed, type ComputedRef, getCurrentScope, onScopeDispose, shallowRef } from 'vue'
import type { Client } from '../client/client.ts'
import type { GenerationActions, GenerationState } from '../generation/generation.ts'
import { generationStore } from '../generation/generation-store.ts'

/**
 * The state of a component's latest generation as refs, which a component can destructure, and the functions to start and
 * end generations.
 */
export type Generation<Models extends object> = GenerationActions<Models> & {
  readonly [Field in keyof GenerationState]: ComputedRef<GenerationState[Field]>
}

/**
 * Runs generations for a component. When the component unmounts, or the scope ends in which this was called, the client
 * stops following the job, and the job continues.
 * @param client a client that was created outside of the component
 * @example
 * const { generate, job, progress, status } = useGeneration(client)
 */
export function useGeneration<Models extends object>(client: Client<Models>): Generation<Models> {
  const { actions, state, subscribe, stop } = generationStore(() => client)
  const latest = shallowRef(state())
  subscribe((now) => (latest.value = now))
  if (getCurrentScope()) onScopeDispose(stop)
  return {
    ...actions,
    status: computed(() => latest.value.status),
    job: computed(() => latest.value.job),
    progress: computed(() => latest.value.progress),
    error: computed(() => latest.value.error),
  }
}
