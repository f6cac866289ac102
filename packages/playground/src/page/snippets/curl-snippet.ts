import type { Request } from './request.ts'
import { shellQuoted } from './shell-quoted.ts'

/** The request as a line for a shell. It waits for the result, and the key comes from the environment. */
export function curlSnippet({ baseUrl, model, input }: Request): string {
  const body = JSON.stringify({ model, ...input })
  return [
    `curl -X POST ${shellQuoted(`${baseUrl}/v1/generate?wait=true`)} \\`,
    '  -H "Authorization: Bearer $GENMOUNT_API_KEY" \\',
    `  -H 'Content-Type: application/json' \\`,
    `  -d ${shellQuoted(body)}`,
  ].join('\n')
}
