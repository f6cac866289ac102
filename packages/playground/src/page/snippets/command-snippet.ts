import type { Request } from './request.ts'
import { shellQuoted } from './shell-quoted.ts'

/** The request as a command of the `genmount` command line tool. The key comes from the environment. */
export function commandSnippet({ baseUrl, model, input }: Request): string {
  const { prompt, ...fields } = input
  const options = [
    `--url ${shellQuoted(baseUrl)}`,
    `--model ${shellQuoted(model)}`,
    ...(typeof prompt === 'string' ? [`--prompt ${shellQuoted(prompt)}`] : []),
    ...Object.entries(fields).map(([name, value]) => `--field ${shellQuoted(`${name}=${inOption(value)}`)}`),
  ]
  return ['npx @genmount/cli generate', ...options].join(' \\\n  ')
}

function inOption(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
