import type { Json, JsonObject } from '@genmount/core'

type Node = Record<string, Json>

/**
 * Puts the values whose names have dots into the objects and lists that the names say.
 * @example nestedBody({ 'settings.duration': 5, 'instances.0.prompt': 'a fox' })
 *   // { settings: { duration: 5 }, instances: [{ prompt: 'a fox' }] }
 */
export function nestedBody(flat: JsonObject): JsonObject {
  const body: Node = {}
  for (const [name, value] of Object.entries(flat)) {
    const way = name.split('.')
    const last = way.pop()!
    let node = body
    way.forEach((step, index) => {
      const inner = Object.hasOwn(node, step) ? node[step] : undefined
      const isList = /^\d+$/.test(way[index + 1] ?? last)
      const copy = Array.isArray(inner) ? [...inner] : isObject(inner) ? { ...inner } : isList ? [] : {}
      node[step] = copy as Json
      node = copy as Node
    })
    node[last] = value
  }
  return body
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}
