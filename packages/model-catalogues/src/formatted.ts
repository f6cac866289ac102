import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { format } from 'oxfmt'

const { singleQuote, semi, printWidth } = JSON.parse(
  readFileSync(new URL('../../../.oxfmtrc.json', import.meta.url), 'utf8'),
)

/** The content of a file as `npm run lint` wants it to be formatted. @throws Error if the content has a syntax error */
export async function formatted(file: URL, content: string): Promise<string> {
  const { code, errors } = await format(fileURLToPath(file), content, { singleQuote, semi, printWidth })
  if (errors.length > 0) throw new Error(`${file}: ${errors.map(({ message }) => message).join('; ')}`)
  return code
}
