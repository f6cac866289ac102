import { createElement } from 'react'
import { renderToString } from 'react-dom/server'
import type { ComponentProps } from './hook-page.ts'
import { Component } from './react-component.ts'

export const render = (props: ComponentProps) => renderToString(createElement(Component, props))
