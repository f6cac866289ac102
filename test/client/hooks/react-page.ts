import { createElement, StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { type ComponentProps, offerPage } from './hook-page.ts'
import { Component } from './react-component.ts'

offerPage((element, first) => {
  const root = createRoot(element)
  const render = (props: ComponentProps) =>
    root.render(createElement(StrictMode, undefined, createElement(Component, props)))
  render(first)
  return { unmount: () => root.unmount(), render }
})
