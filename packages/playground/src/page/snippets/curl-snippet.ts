import type { Request } from './request.ts'
import { shellQuoted } from './shell-quoted.ts'

/** The longest body that is passed as an argument, in characters. Linux limits an argument of a program to 128 KiB. */
const longestArgument = 100_000

/** The request as a `curl` command. The command waits for the result. The key comes from the environment. */
export function curlSnippet({ baseUrl, model, input }: Request): string {
  const body = JSON.stringify({ model, ...input })
  // The JSON has no line breaks, so the line that ends the here-document can't occur in it.
  const data =
    body.length > longestArgument ? `--data-binary @- <<'END'\n${body}\nEND` : `-d ${shellQuoted(body)}`
  return [
    `curl -X POST ${shellQuoted(`${baseUrl}/v1/generate?wait=true`)} \\`,
    '  -H "Authorization: Bearer $GENMOUNT_API_KEY" \\',
    `  -H 'Content-Type: application/json' \\`,
    `  ${data}`,
  ].join('\n')
}
