import { expect } from 'vitest'
import type { ServedDocument } from '../../packages/docs/src/openapi/served-document.ts'

/** What a page shows, as Markdown or as HTML. */
export interface ShownPage {
  readonly text: string
  hasHeading(name: string): boolean
  /** Whether the page shows a word as code. */
  hasCode(word: string): boolean
}

/** Expects that a page shows all routes, objects, fields and error codes of an OpenAPI document. */
export function expectWholeInterface(
  { paths, components }: ServedDocument,
  { text, hasHeading, hasCode }: ShownPage,
): void {
  for (const [path, methods] of Object.entries(paths))
    for (const [method, { summary }] of Object.entries(methods)) {
      expect(text).toContain(`${method.toUpperCase()} ${path}`)
      expect(text).toContain(summary.replaceAll('`', '').split(' ')[0])
    }
  const schemas = Object.entries(components.schemas)
  const fields = schemas.flatMap(([, { properties = {} }]) => Object.keys(properties))
  expect(schemas.map(([name]) => name).filter((name) => !hasHeading(name))).toEqual([])
  expect(fields.filter((field) => !hasCode(field))).toEqual([])
  const codes = Object.values(components.responses).flatMap(
    ({ description = '' }) => description.match(/\w+/g) ?? [],
  )
  expect(codes.length).toBeGreaterThan(20)
  expect(codes.filter((code) => !hasCode(code))).toEqual([])
}
