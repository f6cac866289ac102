import { writeFile } from 'node:fs/promises'
import { connect, type ConnectionOptions } from '../connection/connect.ts'
import type { Session } from '../program/session.ts'
import { modelTypes } from '../types/model-types.ts'
import { UsageError } from '../program/usage-error.ts'
import { escapedText } from '../terminal/plain-text.ts'

/** The options of `types`. */
export interface TypesOptions extends ConnectionOptions {
  readonly output?: string
}

/** Writes the types of the models of a running server. */
export async function types(session: Session, options: TypesOptions): Promise<void> {
  const { signal, stdout, stderr } = session
  const { output = '-' } = options
  const models = await connect(session, options).models({ signal })
  const text = escapedText(await modelTypes(models))
  if (output === '-') {
    stdout.stream.write(text)
    return
  }
  await writeFile(output, text).catch((cause: Error) => {
    throw new UsageError(`-o can't be written: ${cause.message}`, { cause })
  })
  if (options.json) stdout.json({ files: [output], models: models.length })
  else stderr.line(`${output} has the types of ${models.length} models.`)
}
