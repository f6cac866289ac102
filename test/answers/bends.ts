import { filled } from './answer-file.ts'

/** A change that vendors, gateways and proxies make to an answer without telling anybody. */
export interface Bend {
  /** What was changed, and where. */
  readonly what: string
  readonly json?: unknown
  /** The body, if it is not JSON any more. */
  readonly text?: string
}

type Path = readonly (string | number)[]

/** What each kind of change makes of one value; `undefined` where it does not apply. */
const changes: Readonly<Record<string, (value: unknown) => { readonly value: unknown } | undefined>> = {
  'null for': () => ({ value: null }),
  'nested one deeper, in data:': (value) => ({ value: { data: value } }),
  'nested one deeper, in output:': (value) => ({ value: { output: value } }),
  'a list for': (value) => (isObject(value) ? { value: [value] } : undefined),
  'one for a list of one:': (value) =>
    Array.isArray(value) && value.length === 1 ? { value: value[0] as unknown } : undefined,
  'a text for a number:': (value) => (typeof value === 'number' ? { value: String(value) } : undefined),
  'a data URI for a link:': (value) =>
    typeof value === 'string' && /^https:\/\/\S+\.(?:png|jpe?g|webp|mp4)\b/.test(value)
      ? { value: value.includes('.mp4') ? 'data:video/mp4;base64,<mp4>' : 'data:image/png;base64,<png>' }
      : undefined,
  'a link for base64:': (value) =>
    typeof value === 'string' && /<png>|<mp4>/.test(value)
      ? { value: `https://cdn.example.com/bent.${value.includes('<mp4>') ? 'mp4' : 'png'}` }
      : undefined,
}

/** All bends of an answer. Each changes one value. */
export function* bendsOf(json: unknown): Generator<Bend> {
  yield { what: 'a page', text: '<!doctype html><html><head><title>502 Bad Gateway</title></head></html>' }
  yield { what: 'nothing', text: '' }
  for (const path of pathsIn(json)) {
    const at = path.join('.') || 'the answer'
    for (const [what, change] of Object.entries(changes)) {
      const changed = change(valueAt(json, path))
      if (changed) yield { what: `${what} ${at}`, json: withValue(json, path, changed.value) }
    }
    if (path.length > 0) yield { what: `no ${at}`, json: withValue(json, path, undefined) }
  }
}

/** How many times an answer has a file: as a link, or as base64. */
export function timesIn(body: string, output: string): number {
  return body.split(/^<\w+>$/.test(output) ? filled(output) : output).length - 1
}

function pathsIn(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [path]
  return [path, ...Object.entries(value).flatMap(([name, part]) => pathsIn(part, [...path, name]))]
}

function valueAt(json: unknown, path: Path): unknown {
  return path.reduce((value, name) => (value as Record<string, unknown>)[name], json)
}

function withValue(json: unknown, [name, ...rest]: Path, value: unknown): unknown {
  if (name === undefined) return value
  const copy = Array.isArray(json) ? [...json] : { ...(json as object) }
  const fields = copy as Record<string | number, unknown>
  if (rest.length > 0) fields[name] = withValue(fields[name], rest, value)
  else if (value !== undefined) fields[name] = value
  else if (Array.isArray(copy)) copy.splice(Number(name), 1)
  else delete fields[name]
  return copy
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
