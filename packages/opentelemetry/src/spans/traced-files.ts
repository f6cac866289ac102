import type { FileStore } from '@genmount/core'
import type { Attributes } from '../client/meter.ts'
import type { Tracer } from '../client/tracer.ts'
import { inSpan } from './in-span.ts'

/** Wraps a file store, so that each put and each delete makes a span. */
export function tracedFiles(files: FileStore, tracer: Tracer): FileStore {
  const span = (name: string, key: string, more: Attributes = {}) =>
    ({ name, kind: 0, attributes: { 'genmount.file.key': key, ...more } }) as const
  return {
    ...files,
    put: (key, body, contentType, details) =>
      inSpan(tracer, span('store file', key, { 'genmount.file.type': contentType }), () =>
        files.put(key, body, contentType, details),
      ),
    delete: (key) => inSpan(tracer, span('delete file', key), () => files.delete(key)),
  }
}
