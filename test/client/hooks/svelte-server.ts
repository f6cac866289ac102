import { render as renderComponent } from 'svelte/server'
import Component from './component.svelte'
import type { ComponentProps } from './hook-page.ts'

export const render = (props: ComponentProps) => renderComponent(Component, { props }).body
