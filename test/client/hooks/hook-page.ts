import { type AnyModels, type Client, createClient } from '@genmount/client'
import type { GenerationActions, GenerationState } from '@genmount/client/react'

/** What a component has of its hook at the moment. */
export interface Shown extends GenerationActions<AnyModels>, GenerationState {}

/** What the component of each framework gets, and shows in a `<p>`. */
export interface ComponentProps {
  readonly client: Client<AnyModels>
  /** Called with what reads the state, whenever the component is made or rendered. */
  readonly onShown: (read: () => Shown) => void
  /** Called by an effect that depends on the status alone. */
  readonly onStatus: (status: string) => void
}

/** What a test can do in the page of a framework. */
export interface HookPage {
  /** What the component has now. `undefined` before it is there. */
  readonly shown: Shown | undefined
  /** Each text that the component has had in the document, in order. */
  readonly texts: string[]
  /** Each status for which the effect of the component has run, in order. */
  readonly statuses: string[]
  mount(): void
  unmount(): void
  /** Gives the component a client with another key, where the framework renders a component again. */
  exchangeClient(): void
  /** Hides the component, or shows it again, where the framework keeps the state of a hidden one. */
  hide(isHidden: boolean): void
}

/** @returns the text of the component */
export const textOf = ({ status, progress }: Pick<GenerationState, 'progress' | 'status'>): string =>
  `${status} ${progress?.progress ?? ''}`.trim()

interface Mounted {
  unmount(): void
  render?(props: ComponentProps): void
  hide?(isHidden: boolean): void
}

/** @param mountIn puts the component of a framework into an element */
export function offerPage(mountIn: (element: Element, props: ComponentProps) => Mounted): void {
  let read: (() => Shown) | undefined
  let mounted: Mounted | undefined
  const props: ComponentProps = {
    client: createClient({ baseUrl: '', apiKey: 'key-of-alice' }),
    onShown: (reader) => (read = reader),
    onStatus: (status) => void page.statuses.push(status),
  }
  const page: HookPage = {
    get shown() {
      return read?.()
    },
    texts: [],
    statuses: [],
    mount() {
      const element = document.body.appendChild(document.createElement('div'))
      const note = () => void page.texts.push(element.textContent.trim())
      new MutationObserver(note).observe(element, { childList: true, characterData: true, subtree: true })
      mounted = mountIn(element, props)
    },
    unmount: () => mounted?.unmount(),
    hide: (isHidden) => mounted?.hide?.(isHidden),
    exchangeClient() {
      mounted?.render?.({ ...props, client: createClient({ baseUrl: '', apiKey: 'key-of-bob' }) })
    },
  }
  Object.assign(globalThis, { page })
}
