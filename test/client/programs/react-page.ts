import { createClient, type AnyModels } from '@genmount/client'
import { useGeneration, type Generation } from '@genmount/client/react'
import { createElement, StrictMode } from 'react'
import { createRoot } from 'react-dom/client'

/** What the test can do in the page. */
export interface ReactPage {
  /** What the component has in its latest render. `undefined` while it is not there. */
  shown: Generation<AnyModels> | undefined
  /** Each state and progress that it has rendered, in order. */
  readonly rendered: string[]
  mount(): void
  unmount(): void
}

const client = createClient({ baseUrl: '', apiKey: 'key-of-alice' })
const page: ReactPage = {
  shown: undefined,
  rendered: [],
  mount() {
    const root = createRoot(document.body.appendChild(document.createElement('div')))
    root.render(createElement(StrictMode, undefined, createElement(Component)))
    page.unmount = () => root.unmount()
  },
  unmount() {},
}

function Component() {
  const generation = useGeneration(client)
  page.shown = generation
  page.rendered.push(`${generation.status} ${generation.progress?.progress ?? ''}`.trim())
  return createElement('p', undefined, generation.status)
}

Object.assign(globalThis, { page })
