import { Activity, createElement, StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { type ComponentProps, offerPage } from './hook-page.ts'
import { Component } from './react-component.ts'

offerPage((element, first) => {
  const root = createRoot(element)
  let latest = first
  function render(props: ComponentProps, mode: 'hidden' | 'visible' = 'visible') {
    latest = props
    const component = createElement(Activity, { mode, children: createElement(Component, props) })
    root.render(createElement(StrictMode, undefined, component))
  }
  render(first)
  return {
    unmount: () => root.unmount(),
    render: (props) => render(props),
    hide: (isHidden) => render(latest, isHidden ? 'hidden' : 'visible'),
  }
})
