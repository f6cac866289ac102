import { createApp } from 'vue'
import { offerPage } from './hook-page.ts'
import { componentWith } from './vue-component.ts'

offerPage((element, props) => {
  const app = createApp(componentWith(props))
  app.mount(element)
  return { unmount: () => app.unmount() }
})
