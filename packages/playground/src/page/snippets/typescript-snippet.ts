import type { Request } from './request.ts'

/** The request as a program with `@genmount/client`. */
export function typescriptSnippet({ baseUrl, model, input }: Request): string {
  const call = inCode({ model, ...input })
  return `import { createClient } from '@genmount/client'

const client = createClient({
  baseUrl: ${quoted(baseUrl)},
  apiKey: process.env.GENMOUNT_API_KEY,
})
const job = await client.generate(${call})
const file = await client.download(job)
console.log(file.headers.get('content-type'), job.cost_usd)
`
}

/** A value as TypeScript code: property names without quotes, texts in single quotes. */
function inCode(value: unknown, indent = ''): string {
  if (typeof value === 'string') return quoted(value)
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const inner = `${indent}  `
  const parts = Array.isArray(value)
    ? value.map((one) => inCode(one, inner))
    : Object.entries(value).map(([name, one]) => `${nameInCode(name)}: ${inCode(one, inner)}`)
  const [open, close] = Array.isArray(value) ? '[]' : '{}'
  return parts.length === 0
    ? `${open}${close}`
    : `${open}\n${parts.map((part) => `${inner}${part},\n`).join('')}${indent}${close}`
}

function nameInCode(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) && name !== '__proto__' ? name : quoted(name)
}

function quoted(text: string): string {
  const inside = JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")
  return `'${inside}'`
}
