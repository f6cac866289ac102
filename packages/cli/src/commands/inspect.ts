import { openAsBlob } from 'node:fs'
import { stat } from 'node:fs/promises'
import { type Provenance, readProvenance } from '@genmount/provenance'
import type { Session } from '../program/session.ts'
import { UsageError } from '../program/usage-error.ts'

/** Shows what a file says about how it was made. */
export async function inspect(
  { stdout }: Session,
  file: string,
  { json = false }: { readonly json?: boolean },
): Promise<void> {
  const says = await read(file)
  if (json) return stdout.json(says, 2)
  const { contentType = 'no media', isReadable, digitalSourceType, model, time, job, hasC2paManifest } = says
  const lines = [
    ['file', file],
    ['type', isReadable ? contentType : `${contentType}: it is cut off, or not read by this program`],
    ['source', digitalSourceType ?? 'not said'],
    ['model', model],
    ['made', time],
    ['job', job],
    ['C2PA', hasC2paManifest ? 'it has a manifest, which is not checked here' : 'no manifest'],
  ]
  for (const [name, value] of lines) if (value !== undefined) stdout.line(`${`${name}:`.padEnd(9)}${value}`)
}

async function read(file: string): Promise<Provenance> {
  try {
    // The error of `openAsBlob` does not say what is wrong.
    if ((await stat(file)).isDirectory()) throw new Error('it is a folder')
    return await readProvenance((await openAsBlob(file)).stream())
  } catch (cause) {
    throw new UsageError(`${file} can't be read: ${(cause as Error).message}`, { cause })
  }
}
