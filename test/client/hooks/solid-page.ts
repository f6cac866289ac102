import { createComponent } from 'solid-js'
import { insert, render } from 'solid-js/web'
import { type ComponentProps, offerPage } from './hook-page.ts'
import { componentText } from './solid-component.ts'

/** What Solid's compiler makes of `<p>{text()}</p>` for a page. */
function Component(props: ComponentProps) {
  const text = componentText(props)
  const element = document.createElement('p')
  insert(element, text)
  return element
}

offerPage((element, props) => ({ unmount: render(() => createComponent(Component, props), element) }))
