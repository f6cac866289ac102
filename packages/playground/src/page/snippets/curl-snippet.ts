import type { Request } from './request.ts'
import { shellQuoted } from './shell-quoted.ts'

/** A longer body does not fit into an argument of a program, which Linux limits to 128 KiB. */
const longestArgument = 100_000

/** The request as a line for a shell. It waits for the result, and the key comes from the environment. */
export function curlSnippet({ baseUrl, model, input }: Request): string {
  const body = JSON.stringify({ model, ...input })
  // JSON has no line ends, so the line that ends the text can't be in it.
  const data =
    body.length > longestArgument ? `--data-binary @- <<'END'\n${body}\nEND` : `-d ${shellQuoted(body)}`
  return [
    `curl -X POST ${shellQuoted(`${baseUrl}/v1/generate?wait=true`)} \\`,
    '  -H "Authorization: Bearer $GENMOUNT_API_KEY" \\',
    `  -H 'Content-Type: application/json' \\`,
    `  ${data}`,
  ].join('\n')
}
