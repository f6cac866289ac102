import { createComponent } from 'solid-js'
import { renderToString, ssrElement } from 'solid-js/web'
import type { ComponentProps } from './hook-page.ts'
import { componentText } from './solid-component.ts'

/** What Solid's compiler makes of `<p>{text()}</p>` for a server. */
const Component = (props: ComponentProps) => ssrElement('p', {}, componentText(props), false) as never

export const render = (props: ComponentProps) => renderToString(() => createComponent(Component, props))
