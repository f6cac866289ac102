import type { Model } from '@genmount/client'
import { type ModelField, modelFields } from '@genmount/client/model-fields'
import { connect, type ConnectionOptions } from '../connection/connect.ts'
import type { Session } from '../program/session.ts'
import { writeTable } from '../terminal/table.ts'

/** Lists the models, or the fields of one. */
export async function models(
  session: Session,
  id: string | undefined,
  options: ConnectionOptions,
): Promise<void> {
  const { signal, stdout } = session
  const client = connect(session, options)
  const listed = id === undefined ? await client.models({ signal }) : [await client.model(id, { signal })]
  if (options.json) {
    stdout.json(id === undefined ? listed : listed[0], 2)
    return
  }
  const [model] = listed
  if (id === undefined || model === undefined) {
    const rows = listed.map((each) => [
      each.id,
      each.output_kind ?? '',
      (each.typical_seconds ?? null) === null ? '' : `${each.typical_seconds} s`,
      [each.price?.text ?? [], each.ends ? endWords(each.ends) : []].flat().join('; '),
    ])
    writeTable(stdout, ['MODEL', 'MAKES', 'TAKES', 'PRICE'], rows)
    return
  }
  const fields = modelFields(model)
  if (!fields) {
    stdout.line(`The server does not know the fields of ${model.id}: give any with --field name=value.`)
    return
  }
  const rows = [...fields.fields].map(([name, field]) => [
    name,
    field.isRequired ? 'required' : '',
    accepted(field),
    field.schema.default === undefined ? '' : JSON.stringify(field.schema.default),
  ])
  writeTable(stdout, ['FIELD', '', 'ACCEPTS', 'DEFAULT'], rows)
}

function endWords({ on, replacement }: NonNullable<Model['ends']>): string {
  return `ends on ${on}${(replacement ?? null) === null ? '' : `, use ${replacement}`}`
}

function accepted({ schema, types }: ModelField): string {
  if (Array.isArray(schema.enum))
    return schema.enum.map((each) => (typeof each === 'string' ? each : JSON.stringify(each))).join(' | ')
  const { minimum, maximum } = schema
  const from = typeof minimum === 'number' ? ` from ${minimum}` : ''
  const to = typeof maximum === 'number' ? ` to ${maximum}` : ''
  return `${[...types].join(' | ') || 'anything'}${from}${to}`
}
