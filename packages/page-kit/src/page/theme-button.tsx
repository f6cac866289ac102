import { useLayoutEffect, useState } from 'preact/hooks'
import { Icon } from './icon.tsx'
import { keptValue } from './kept-value.ts'

const stored = keptValue<'light' | 'dark'>('page.theme')
const isDarkOutside = () => matchMedia('(prefers-color-scheme: dark)').matches

/** Switches between light and dark. Until the first click, the page follows the setting of the system. */
export function ThemeButton() {
  const [theme, setTheme] = useState(stored.read)
  useLayoutEffect(() => {
    if (theme) document.documentElement.dataset['theme'] = theme
    stored.write(theme)
  }, [theme])
  const next = (theme ?? (isDarkOutside() ? 'dark' : 'light')) === 'dark' ? 'light' : 'dark'
  return (
    <button type="button" class="button plain square" onClick={() => setTheme(next)}>
      <Icon name={next === 'dark' ? 'moon' : 'sun'} />
      <span class="unseen">Change to {next} colours</span>
    </button>
  )
}
