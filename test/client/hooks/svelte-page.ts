import { mount, unmount } from 'svelte'
import Component from './component.svelte'
import { offerPage } from './hook-page.ts'

offerPage((target, props) => {
  const component = mount(Component, { target, props })
  return { unmount: () => void unmount(component) }
})
