import { Dialog, Icon } from '@genmount/page-kit/page'
import { useContext, useState } from 'preact/hooks'
import { SettingsContext } from '../settings-context.ts'
import { commandSnippet } from './command-snippet.ts'
import { curlSnippet } from './curl-snippet.ts'
import type { Request } from './request.ts'
import { typescriptSnippet } from './typescript-snippet.ts'

const languages = { curl: curlSnippet, TypeScript: typescriptSnippet, CLI: commandSnippet } as const
type Language = keyof typeof languages

/** The most characters of a text, such as a picture as a data URI, that are shown. Copying copies the whole text. */
const longestShown = 400

interface SnippetDialogProps extends Omit<Request, 'baseUrl'> {
  readonly onClose: () => void
}

/** Shows a request as code, and copies it. */
export function SnippetDialog({ model, input, onClose }: SnippetDialogProps) {
  const { baseUrl } = useContext(SettingsContext)
  const [language, setLanguage] = useState<Language>('curl')
  const [copied, setCopied] = useState<'yes' | 'no'>()
  const write = languages[language]
  const isWhole =
    !JSON.stringify(input).includes('"[data URI: ') && !JSON.stringify(input).includes('"[text: ')

  async function copy() {
    try {
      await navigator.clipboard.writeText(write({ baseUrl, model, input }))
      setCopied('yes')
    } catch {
      setCopied('no')
    }
  }

  return (
    <Dialog title="This request as code" size="wide" onClose={onClose}>
      <div class="snippet-tools">
        <div class="segments" role="radiogroup" aria-label="Language">
          {(Object.keys(languages) as Language[]).map((name) => (
            <label key={name} class="segment">
              <input
                type="radio"
                name="language"
                checked={language === name}
                onChange={() => {
                  setLanguage(name)
                  setCopied(undefined)
                }}
              />
              <span>{name}</span>
            </label>
          ))}
        </div>
        <button type="button" class="button primary" onClick={copy}>
          <Icon name={copied === 'yes' ? 'check' : 'copy'} /> {copied === 'yes' ? 'Copied' : 'Copy'}
        </button>
      </div>
      <pre class="code" tabIndex={0} aria-label={`The request in ${language}`}>
        {write({ baseUrl, model, input: shortened(input) as typeof input })}
      </pre>
      <p class="help" role="status">
        {copied === 'no'
          ? 'The browser does not let the page copy. Select the text and copy it.'
          : isWhole
            ? 'The code does not contain your key: set GENMOUNT_API_KEY to the key first.'
            : 'This request contained a picture, which the service does not return. Replace the words in brackets with the picture.'}
      </p>
    </Dialog>
  )
}

function shortened(value: unknown): unknown {
  if (typeof value === 'string') return value.length > longestShown ? `${value.slice(0, 80)}…` : value
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(shortened)
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, shortened(one)]))
}
