import { writtenSettings } from '@genmount/page-kit/page'
import { render } from 'preact'
import { App } from './app.tsx'

render(<App baseUrl={writtenSettings(location).baseUrl} />, document.querySelector('#app')!)
