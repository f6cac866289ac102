declare module '*.svelte' {
  import type { Component } from 'svelte'
  import type { ComponentProps } from './hook-page.ts'

  const component: Component<ComponentProps>
  export default component
}
