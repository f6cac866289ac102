import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import type { Client } from '../client/client.ts'
import type { GenerationActions, GenerationState } from '../generation/generation.ts'
import { generationStore } from '../generation/generation-store.ts'

/**
 * The state of a component's latest generation, and the functions to start and end generations. The functions stay the
 * same between renders.
 */
export interface Generation<Models extends object> extends GenerationState, GenerationActions<Models> {}

/**
 * Runs generations for a component, and re-renders it when their state changes. When the component unmounts, the client
 * stops following the job, and the job continues. In an `<Activity>` the client follows it again once that is visible. Call `generate` in an event handler, such as that of a click, and not
 * while rendering.
 * @param client a client that was created outside of the component
 * @example
 * const { generate, job, progress, status } = useGeneration(client)
 */
export function useGeneration<Models extends object>(client: Client<Models>): Generation<Models> {
  const latestClient = useRef(client)
  useEffect(() => void (latestClient.current = client), [client])
  const [store] = useState(() => generationStore(() => latestClient.current))
  const { actions, state, subscribe, stop, resume } = store
  // React also ends effects of components that it keeps: in a hidden Activity, and after a change of the code.
  useEffect(() => {
    resume()
    return stop
  }, [stop, resume])
  return { ...useSyncExternalStore(subscribe, state, state), ...actions }
}
