import { useEffect, useState } from 'preact/hooks'

/** A state that several components show. */
export interface Store<State> {
  readonly state: State
  /** Replaces parts of the state, and renders every component that uses it. */
  change(parts: Partial<State>): void
  /** @returns a function that ends the subscription */
  subscribe(listener: () => void): () => void
}

export function createStore<State extends object>(first: State): Store<State> {
  const listeners = new Set<() => void>()
  let state = first
  return {
    get state() {
      return state
    },
    change(parts) {
      state = { ...state, ...parts }
      for (const listener of listeners) listener()
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

/** The state of a store. The component renders again whenever the state changes. */
export function useStore<State>(store: Pick<Store<State>, 'state' | 'subscribe'>): State {
  const [, setShown] = useState(store.state)
  useEffect(() => {
    const draw = () => setShown(store.state)
    // The state may have changed between the first render and this effect.
    draw()
    return store.subscribe(draw)
  }, [store])
  return store.state
}
