import { render } from 'preact'
import { App } from './app.tsx'
import { readSettings } from './settings.ts'
import { SettingsContext } from './settings-context.ts'

render(
  <SettingsContext.Provider value={readSettings(location)}>
    <App />
  </SettingsContext.Provider>,
  document.querySelector('#app')!,
)
